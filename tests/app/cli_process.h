#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace kinescope::testing {

/// The real kinescope-cli, run to its end as a process.
struct ProcessResult {
    int exit_code = -1;  ///< -1: it crashed or did not end
    QByteArray out;
    QByteArray err;
};

QString cli_program();
/// XDG_CACHE_HOME of the processes that the running test function starts. Test functions do not share what the guard
/// learned.
QString cli_cache_dir();
/// `environment`: variables besides those of this process and XDG_CACHE_HOME.
ProcessResult run_cli(const QStringList& arguments, const QMap<QString, QString>& environment = {});

/// `generate` with the tiny model of the tests: few frames, few steps, no progress. `extra` may override any flag.
QStringList generate_arguments(const QString& model, const QString& output, const QStringList& extra = {});

/// The tiny model; empty where the fixture is not there.
QString tiny_model();

}  // namespace kinescope::testing
