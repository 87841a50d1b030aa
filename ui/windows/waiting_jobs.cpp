#include "ui/windows/waiting_jobs.h"

#include <algorithm>

#include "ui/bridge/engine_bridge.h"
#include "ui/windows/notice_board.h"

namespace kinescope::ui {

WaitingJobs::WaitingJobs(EngineBridge& bridge, NoticeBoard& notices, QObject* parent)
    : QObject(parent), bridge_(bridge), notices_(notices) {
    connect(&bridge_, &EngineBridge::jobsChanged, this, [this] {
        if (!exist()) notices_.clear(NoticeTopic::waiting);
    });
}

bool WaitingJobs::exist() const {
    return std::ranges::any_of(bridge_.jobs(), [this](const Job& job) { return bridge_.sleeps(job); });
}

void WaitingJobs::offer() {
    if (!exist()) return;
    notices_.keep(NoticeTopic::waiting, [this]() -> Notice {
        return {NoticeTopic::waiting,
                Severity::info,
                tr("Jobs are waiting from an earlier session."),
                {},
                tr("Start all"),
                [this] { bridge_.releaseQueue(); },
                {}};
    });
}

}  // namespace kinescope::ui
