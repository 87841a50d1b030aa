#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace kinescope::testing {

/// The result of running kinescope-cli as a process until it ends.
struct ProcessResult {
    int exit_code = -1;  ///< -1: the process crashed or did not end in time
    QByteArray out;
    QByteArray err;
};

QString cli_program();
/// Returns the XDG_CACHE_HOME of the processes that the current test function starts. Each test function has its own,
/// so that learned overrides are not shared.
QString cli_cache_dir();
/// Runs kinescope-cli and waits for its end. `environment` are variables in addition to XDG_CACHE_HOME and those of
/// this process.
ProcessResult run_cli(const QStringList& arguments, const QMap<QString, QString>& environment = {});

/// Returns the arguments of a `generate` command with few frames, few steps and no progress display. `extra` may
/// override any flag.
QStringList generate_arguments(const QString& model, const QString& output, const QStringList& extra = {});

/// Returns the path of the tiny model, or an empty string if the test data is missing.
QString tiny_model();

}  // namespace kinescope::testing
