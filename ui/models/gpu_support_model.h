#pragma once

#include <QObject>
#include <optional>

#include "ui/bridge/engine_installer.h"
#include "ui/models/transfer_rate.h"

namespace kinescope::ui {

enum class GpuSupportPhase {
    hidden,        ///< nothing to offer
    driverTooOld,  ///< a newer driver is needed first
    offered,
    starting,  ///< waits for the first answer of the server
    downloading,
    unpacking,
    paused,
    failed,
    installed,  ///< used after a restart
};

/// The download of GPU support as the window shows it.
struct GpuSupportFacts {
    GpuSupportPhase phase = GpuSupportPhase::hidden;
    GpuSetup setup;
    qint64 received = 0;
    double bytesPerSecond = 0;   ///< 0: unknown
    std::optional<Error> fault;  ///< set in the phase `failed`

    bool isBusy() const;
    /// Returns the received share of the download, 0 to 1, or nullopt if nothing is being downloaded.
    std::optional<double> share() const;
};

/// Offers, downloads and resumes GPU support for the graphics card of this computer.
class GpuSupportModel : public QObject {
    Q_OBJECT

public:
    /// Asks the engine which graphics cards need GPU support. Nothing is downloaded before start().
    explicit GpuSupportModel(EngineBridge& bridge, QObject* parent = nullptr);

    const GpuSupportFacts& facts() const { return facts_; }
    /// Starts, resumes or retries the download.
    void start();
    /// Pauses the download and keeps the downloaded data.
    void pause();

Q_SIGNALS:
    void changed();

private:
    void showSetup(const GpuSetup& setup);
    void showProgress(const GpuSupportProgress& progress);
    void enter(GpuSupportPhase phase);

    EngineInstaller installer_;
    GpuSupportFacts facts_;
    TransferRate rate_;
};

}  // namespace kinescope::ui
