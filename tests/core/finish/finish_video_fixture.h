#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/finish/finish_video.h"
#include "core/media/guarded_reader.h"
#include "finish_fixture.h"
#include "tests/core/media/media_fixtures.h"

namespace kinescope::test {

using Step = std::function<FinishCommand(int, int, FinishStage)>;

inline FinishServices services_with(Step step = {}) {
    if (!step) step = [](int, int, FinishStage) { return FinishCommand::go_on; };
    return {.reader = std::make_shared<GuardedReader>(""), .device = at::kCPU, .step = std::move(step)};
}

inline Step until(int frames, FinishCommand command) {
    return [frames, command](int done, int, FinishStage) { return done < frames ? FinishCommand::go_on : command; };
}

/// Base class of tests that finish short clips in an empty folder.
class FinishVideoFixture : public QObject {
protected:
    std::filesystem::path clip(int frames) {
        SinkOptions options = options_for(*folder_ / "clip.mp4");
        options.output.overwrite = OverwriteMode::overwrite;
        return write_video(options, frames);
    }

    FinishRequest finish(const std::filesystem::path& video, const std::string& output) const {
        FinishRequest request;
        request.video = video;
        request.output.file = *folder_ / output;
        return request;
    }

    std::unique_ptr<Folder> folder_;
};

}  // namespace kinescope::test
