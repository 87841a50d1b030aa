#include "ui/models/guard_words.h"

#include <QCoreApplication>

#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GuardWords)
};

constexpr std::string_view kScaled = " scaled";

std::string_view dtypeOf(std::string_view precision) {
    return precision.ends_with(kScaled) ? precision.substr(0, precision.size() - kScaled.size()) : precision;
}

}  // namespace

bool isRepair(const GuardActed& action) {
    return action.action != "stop" && action.action != "warn" && action.action != "observe";
}

QString repairedTo(const GuardActed& action) {
    const QString dtype = dtypeName(dtypeOf(action.after));
    return dtypeOf(action.after).size() < action.after.size() ? Words::tr("scaled, in %1").arg(dtype)
                                                              : Words::tr("in %1").arg(dtype);
}

QString precisionLabel(const std::string& precision) {
    const QString dtype = dtypeName(dtypeOf(precision));
    return dtypeOf(precision).size() < precision.size() ? Words::tr("%1, scaled").arg(dtype) : dtype;
}

}  // namespace kinescope::ui
