#include "tests/simulated_gpu/card.h"

#include <QFile>
#include <filesystem>

namespace kinescope::testing {

Card::Card(Canary canary) {
    const QString examined = qEnvironmentVariable("KINESCOPE_EXAMINED_CARD");
    if (canary == Canary::due || examined.isEmpty()) return;
    std::filesystem::copy(examined.toStdString(), file("cache").toStdString(),
                          std::filesystem::copy_options::recursive);
}

Card::Settings Card::environment(const Settings& settings) const {
    Settings environment{
        {"LD_LIBRARY_PATH", KINESCOPE_SIMULATED_GPU},
        {"SIMULATED_GPU_LOG", file("card.log")},
        {"SIMULATED_GPU_MEMORY_MIB", "5000"},  // the canary runs smaller probes on a GPU with little memory
        {"XDG_CACHE_HOME", file("cache")},
        {"XDG_CONFIG_HOME", file("config")},
        {"XDG_STATE_HOME", file("state")}};
    environment.insert(settings);
    return environment;
}

ProcessResult Card::run(const QStringList& arguments, const Settings& settings) {
    const QString log = file("card.log");
    QFile::remove(log);
    const ProcessResult result = run_cli(arguments, environment(settings));
    QFile said(log);
    log_ = said.open(QIODevice::ReadOnly) ? said.readAll() : QByteArray();
    faults_.clear();
    for (const QByteArray& line : log_.split('\n'))
        for (const char* fault : {"RACE", "USE AFTER FREE", "BAD FREE", "DEVICE MISMATCH", "DEADLOCK"})
            if (line.startsWith(fault)) faults_ += line + '\n';
    return result;
}

QStringList builtin_video(const QString& device, const QString& dtype, const QString& frames, const QStringList& more) {
    return QStringList{"generate",
                       "--model",
                       "builtin",
                       "--prompt",
                       "a red ball moving left on a blue background",
                       "--seed",
                       "7",
                       "--steps",
                       "4",
                       "--device",
                       device,
                       "--dtype",
                       dtype,
                       "--text-encoder-dtype",
                       dtype,
                       "--vae-dtype",
                       dtype,
                       "--output",
                       frames + ".mp4",
                       "--frames",
                       frames,
                       "--progress",
                       "none",
                       "--overwrite"} +
           more;
}

}  // namespace kinescope::testing
