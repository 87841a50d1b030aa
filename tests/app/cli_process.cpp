#include "tests/app/cli_process.h"

#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

namespace kinescope::testing {

namespace {

/// A shell that starts the tests may ignore these signals, and the programs that they start would ignore them, too.
[[maybe_unused]] const bool signals_end_programs = [] {
    for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, SIG_DFL);
    return true;
}();

}  // namespace

QString cli_program() {
    return QStringLiteral(KINESCOPE_BIN_DIR "/kinescope-cli");
}

QString cli_cache_dir() {
    static const QTemporaryDir caches;
    const char* function = QTest::currentTestFunction();
    return caches.filePath(function == nullptr ? QStringLiteral("outside") : QString::fromLatin1(function));
}

ProcessResult run_cli(const QStringList& arguments, const QMap<QString, QString>& environment) {
    QProcess process;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("XDG_CACHE_HOME", cli_cache_dir());
    for (auto variable = environment.cbegin(); variable != environment.cend(); ++variable)
        variables.insert(variable.key(), variable.value());
    process.setProcessEnvironment(variables);
    process.start(cli_program(), arguments);
    if (!process.waitForFinished(120000)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), "did not end: " + process.errorString().toUtf8()};
    }
    const int exit_code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    return {exit_code, process.readAllStandardOutput(), process.readAllStandardError()};
}

QStringList generate_arguments(const QString& model, const QString& output, const QStringList& extra) {
    QMap<QString, QString> flags = {{"--model", model},     {"--prompt", "A red panda dances in the rain"},
                                    {"--width", "48"},      {"--height", "32"},
                                    {"--num-frames", "5"},  {"--steps", "2"},
                                    {"--seed", "7"},        {"--max-sequence-length", "32"},
                                    {"--device", "cpu"},    {"--threads", "1"},
                                    {"--progress", "none"}, {"--output", output}};
    QStringList switches;
    for (int i = 0; i < extra.size(); ++i) {
        const bool has_value = i + 1 < extra.size() && !extra[i + 1].startsWith("--");
        if (!has_value) {
            switches << extra[i];
            continue;
        }
        flags[extra[i]] = extra[i + 1];
        ++i;
    }
    QStringList arguments{"generate"};
    for (auto flag = flags.cbegin(); flag != flags.cend(); ++flag) arguments << flag.key() << flag.value();
    return arguments + switches;
}

QString tiny_model() {
    const QString folder = QStringLiteral(KINESCOPE_TEST_DATA "/wan_t2v/model");
    return QDir(folder).exists() ? folder : QString();
}

}  // namespace kinescope::testing
