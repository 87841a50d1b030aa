#pragma once

#include <QTemporaryDir>

#include "tests/app/cli_process.h"

namespace kinescope::testing {

/// A simulated card with a folder for what is made on it. The canary tries it once for all runs.
class Card {
public:
    using Settings = QMap<QString, QString>;

    QString file(const QString& name) const { return folder_.filePath(name); }

    /// Runs kinescope-cli on the card; the faults that it finds in that run are in faults().
    ProcessResult run(const QStringList& arguments, const Settings& settings = {});

    /// What the card said of the last run: races, freed memory that was used, operands on the wrong device.
    QByteArray faults() const { return faults_; }
    /// All that it said.
    QByteArray log() const { return log_; }

private:
    QTemporaryDir folder_;
    QByteArray faults_, log_;
};

/// The arguments of a small video of the built-in model; the frames go to `frames`.
QStringList builtin_video(const QString& device, const QString& dtype, const QString& frames,
                          const QStringList& more = {});

}  // namespace kinescope::testing
