#pragma once

#include <QTemporaryDir>

#include "tests/app/cli_process.h"

namespace kinescope::testing {

/// Whether the canary has examined a simulated GPU before its first run.
enum class Canary {
    done,  ///< with the settings of a card without faults, by ctest's fixture; due without ctest
    due
};

/// A simulated GPU with a folder for its outputs. The canary examines it once; later runs use the result.
class Card {
public:
    using Settings = QMap<QString, QString>;

    explicit Card(Canary canary = Canary::done);

    QString file(const QString& name) const { return folder_.filePath(name); }

    /// The environment of a program that uses the simulated GPU.
    Settings environment(const Settings& settings = {}) const;
    /// Runs kinescope-cli on the simulated GPU. faults() returns the faults that were detected during the run.
    ProcessResult run(const QStringList& arguments, const Settings& settings = {});

    /// Returns the faults that were detected in the last run: races, use after free, operands on the wrong
    /// device, threads of a kernel that wait forever.
    QByteArray faults() const { return faults_; }
    /// Returns the complete log of the last run.
    QByteArray log() const { return log_; }

private:
    QTemporaryDir folder_;
    QByteArray faults_, log_;
};

/// Returns arguments that generate a small video with the built-in model and write its frames to `frames`.
QStringList builtin_video(const QString& device, const QString& dtype, const QString& frames,
                          const QStringList& more = {});

}  // namespace kinescope::testing
