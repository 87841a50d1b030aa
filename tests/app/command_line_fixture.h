#pragma once

#include <QDir>
#include <QObject>
#include <QTemporaryDir>
#include <csignal>
#include <fstream>

#include "tests/app/stub_engine.h"

namespace kinescope::testing {

/// The events of a run that succeeds.
inline std::vector<RunEvent> finish_at_once(const VideoRequest& request) {
    RunResult result;
    result.output = request.output.file;
    result.status = RunStatus::completed;
    result.num_frames = *request.num_frames;
    return {RunStarted{request, small_card(), {}}, RunFinished{result}};
}

inline StubScript working_script() {
    StubScript script;
    script.card = small_card();
    script.run = finish_at_once;
    return script;
}

inline void write(const QString& file, const std::string& text) {
    std::ofstream(file.toStdString(), std::ios::binary) << text;
}

/// Base class of tests that run commands in an empty folder, which is the current one.
class CommandLineFixture : public QObject {
protected:
    CommandLineFixture() {
        QDir::setCurrent(folder_.path());
        for (const int signal : {SIGINT, SIGHUP})
            std::signal(signal, SIG_DFL);  // a shell may ignore them for the tests
    }

    std::string in_folder(const char* name) { return folder_.filePath(name).toStdString(); }

    QTemporaryDir folder_;
};

}  // namespace kinescope::testing
