#include "ui/models/gpu_support_words.h"

#include <QCoreApplication>

#include "core/api/wrong_address.h"
#include "ui/text/error_catalog.h"
#include "ui/text/error_message.h"
#include "ui/text/message_form.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

using Notice = GpuSupportNotice;

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(GpuSupportWords)
};

QString receivedText(const GpuSupportFacts& facts) {
    return Tr::tr("%1 of %2").arg(bytesText(facts.received), bytesText(facts.setup.download_bytes));
}

QString progressText(const GpuSupportFacts& facts) {
    if (facts.bytesPerSecond < 1) return receivedText(facts);
    return Tr::tr("%1, %2/s").arg(receivedText(facts), bytesText(static_cast<std::int64_t>(facts.bytesPerSecond)));
}

QString faultText(const Error& error) {
    const QString path = folderText(errorArgument(error, "path"));
    switch (error.code()) {
        case ErrorCode::disk_full:
            if (const qint64 needed = errorArgument(error, "needed_bytes").toLongLong(); needed > 0)
                return Tr::tr("Not enough disk space: the installation needs %1 in %2.").arg(bytesText(needed), path);
            return Tr::tr("Not enough disk space in %1.").arg(path);
        case ErrorCode::output_not_writable:
            return Tr::tr("%1 can't be written, or another Kinescope process is installing.").arg(path);
        case ErrorCode::file_unreadable:
            if (!errorArgument(error, "sha256").isEmpty())
                return Tr::tr("A file was damaged during the download and has been deleted.");
            if (errorArgument(error, "cause") == QLatin1String(kWrongAddress))
                return Tr::tr("The address %1 does not offer this file. If you have set PIP_INDEX_URL, check it.")
                    .arg(errorArgument(error, "url"));
            return Tr::tr("The download was interrupted. It resumes where it stopped.");
        default:
            return errorText(error).sentence;
    }
}

Notice driverNotice(const GpuSetup& setup) {
    return {
        .severity = Notice::Severity::warning,
        .lead = Tr::tr("%1 found.").arg(text(setup.card)),
        .text = filled(Tr::tr("Its driver supports CUDA %1, but GPU support needs CUDA %2. Install NVIDIA driver %3 or "
                              "newer, and restart the computer."),
                       {text(setup.driver_cuda), text(setup.needed_cuda), text(setup.needed_driver)}),
        .action = Notice::Action::none,
        .button = {},
        .detail = {}};
}

}  // namespace

GpuSupportNotice gpuSupportNotice(const GpuSupportFacts& facts) {
    const QString download = Tr::tr("Downloading GPU support:");
    switch (facts.phase) {
        case GpuSupportPhase::hidden:
            break;
        case GpuSupportPhase::driverTooOld:
            return driverNotice(facts.setup);
        case GpuSupportPhase::offered:
            return {Notice::Severity::info,
                    Tr::tr("%1 found.").arg(text(facts.setup.card)),
                    Tr::tr("Download GPU support (%1) to generate videos on the GPU.")
                        .arg(bytesText(facts.setup.download_bytes)),
                    Notice::Action::start,
                    Tr::tr("Download"),
                    {}};
        case GpuSupportPhase::starting:
            return {Notice::Severity::info, download,        Tr::tr("connecting…"),
                    Notice::Action::pause,  Tr::tr("Pause"), {}};
        case GpuSupportPhase::downloading:
            return {Notice::Severity::info, download, progressText(facts), Notice::Action::pause, Tr::tr("Pause"), {}};
        case GpuSupportPhase::unpacking:
            return {Notice::Severity::info, download,        Tr::tr("%1, unpacking…").arg(receivedText(facts)),
                    Notice::Action::pause,  Tr::tr("Pause"), {}};
        case GpuSupportPhase::paused:
            return {Notice::Severity::info,
                    Tr::tr("GPU support for %1:").arg(text(facts.setup.card)),
                    Tr::tr("download paused at %1.").arg(receivedText(facts)),
                    Notice::Action::start,
                    Tr::tr("Continue"),
                    {}};
        case GpuSupportPhase::failed:
            return {Notice::Severity::error,
                    Tr::tr("GPU support is not installed."),
                    facts.fault ? faultText(*facts.fault) : QString(),
                    Notice::Action::start,
                    Tr::tr("Try again"),
                    facts.fault ? text(facts.fault->message()) : QString()};
        case GpuSupportPhase::installed:
            return {Notice::Severity::ok,
                    Tr::tr("GPU support is installed."),
                    Tr::tr("Restart Kinescope to use %1.").arg(text(facts.setup.card)),
                    Notice::Action::restart,
                    Tr::tr("Restart now"),
                    {}};
    }
    return {};
}

}  // namespace kinescope::ui
