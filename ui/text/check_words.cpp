#include "ui/text/check_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <functional>

#include "ui/text/device_words.h"
#include "ui/text/message_form.h"

namespace kinescope::ui {
namespace {

constexpr auto kContext = "CheckWords";

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(CheckWords)
};

struct KindWords {
    const char* title;
    const char* purpose;
};

/// In the order of CanaryKind.
constexpr std::array kKinds{
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Kinescope's own fused kernels"),
              QT_TRANSLATE_NOOP("CheckWords", "A fused kernel saves time; LibTorch's ops compute the same.")},
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Attention"),
              QT_TRANSLATE_NOOP("CheckWords", "Attention relates the frames to each other and to the prompt.")},
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Convolutions"),
              QT_TRANSLATE_NOOP("CheckWords", "The VAE creates the frames with convolutions.")},
    KindWords{
        QT_TRANSLATE_NOOP("CheckWords", "Sums"),
        QT_TRANSLATE_NOOP("CheckWords", "Sums in 16 bits overflow or lose small values, which damages the video.")},
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Matrix products"),
              QT_TRANSLATE_NOOP("CheckWords", "A model spends most of its time on matrix products.")},
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Norms and conversions"),
              QT_TRANSLATE_NOOP("CheckWords", "Norms keep values in range; stored weights are converted.")},
    KindWords{QT_TRANSLATE_NOOP("CheckWords", "Small layers of the models"),
              QT_TRANSLATE_NOOP("CheckWords", "Some drivers crash on layers of these sizes, which every model has.")},
};

static_assert(kKinds.size() == static_cast<std::size_t>(CanaryKind::layers) + 1);

const KindWords& wordsOf(CanaryKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

QString translated(const char* text) {
    return QCoreApplication::translate(kContext, text);
}

QString withDevice(const DeviceReport& device, const QString& result) {
    return Tr::tr("%1: %2", "device, result").arg(QString::fromStdString(device.device.name), result);
}

QString adviceFor(const CanaryFinding& finding) {
    if (finding.outcome == ProbeOutcome::slower) return Tr::tr("No action needed: Kinescope uses the faster way.");
    if (!finding.fallbacks.empty())
        return Tr::tr("No action needed: Kinescope uses the fallback. A newer driver may make the operation usable.");
    return Tr::tr(
        "No fallback is known. Update the driver, then press Check again. If the check still fails, report it.");
}

CheckRow failedRow(const DeviceReport& device, const CanaryFinding& finding) {
    return {
        .health = healthOf(finding),
        .title = probeText(finding.probe),
        .result = withDevice(device, findingText(finding)),
        .advice = Tr::tr("%1 %2", "two sentences").arg(translated(wordsOf(finding.kind).purpose), adviceFor(finding)),
        .seconds = finding.seconds};
}

QString resultText(int matching, int notRun) {
    const QString match = Tr::tr("%1 of %2 match float32").arg(matching).arg(matching + notRun);
    if (notRun == 0) return match;
    const QString missing = Tr::tr("%Ln not run: the memory was full", nullptr, notRun);
    return matching == 0 ? missing : Tr::tr("%1; %2", "two results").arg(match, missing);
}

/// Returns the row of the checks of one kind that have no row of their own. Its result is empty if there are none.
CheckRow passedRow(const DeviceReport& device, CanaryKind kind) {
    int matching = 0;
    int notRun = 0;
    CheckRow row{.title = translated(wordsOf(kind).title), .advice = translated(wordsOf(kind).purpose)};
    for (const CanaryFinding& finding : device.canary) {
        if (finding.kind != kind || healthOf(finding) != Health::good) continue;
        ++(finding.outcome == ProbeOutcome::not_run ? notRun : matching);
        row.seconds += finding.seconds;
    }
    if (matching + notRun > 0) row.result = withDevice(device, resultText(matching, notRun));
    if (matching == 0) row.health = Health::remark;
    return row;
}

constexpr MessageForm kLibraries[] = {
    {"cpu_kernels", QT_TRANSLATE_NOOP("CheckWords", "CPU instructions in use")},
    {"cublas", QT_TRANSLATE_NOOP("CheckWords", "cuBLAS")},
    {"cuda_driver", QT_TRANSLATE_NOOP("CheckWords", "NVIDIA driver")},
    {"cuda_runtime", QT_TRANSLATE_NOOP("CheckWords", "CUDA runtime")},
    {"cudnn", QT_TRANSLATE_NOOP("CheckWords", "cuDNN")},
    {"libtorch", QT_TRANSLATE_NOOP("CheckWords", "LibTorch")},
    {"nvrtc", QT_TRANSLATE_NOOP("CheckWords", "CUDA compiler (NVRTC)")},
};

constexpr MessageForm kSwitches[] = {
    {"float16_accumulation",
     QT_TRANSLATE_NOOP("CheckWords", "Off keeps sums in float32, so that they do not overflow.")},
    {"float16_reduction", QT_TRANSLATE_NOOP("CheckWords", "Off keeps sums in float32, so that they do not overflow.")},
    {"bfloat16_reduction", QT_TRANSLATE_NOOP("CheckWords", "Off keeps sums in float32, which is more precise.")},
    {"half_reduction_in_attention",
     QT_TRANSLATE_NOOP("CheckWords", "Off keeps sums in float32, so that they do not overflow.")},
    {"tf32_matmul", QT_TRANSLATE_NOOP("CheckWords", "Off keeps float32 products precise.")},
    {"tf32_convolution", QT_TRANSLATE_NOOP("CheckWords", "Off keeps float32 convolutions precise.")},
    {"cudnn_attention",
     QT_TRANSLATE_NOOP("CheckWords", "Kinescope uses it only where the device check has confirmed its results.")},
    {"cudnn", QT_TRANSLATE_NOOP("CheckWords", "It speeds up convolutions on NVIDIA GPUs.")},
    {"cudnn_benchmark", QT_TRANSLATE_NOOP("CheckWords", "Off selects the same kernels in every run.")},
    {"onednn", QT_TRANSLATE_NOOP("CheckWords", "It speeds up computation on the CPU.")},
    {"blas_backend", QT_TRANSLATE_NOOP("CheckWords", "It computes the matrix products on NVIDIA GPUs.")},
};

}  // namespace

std::vector<CheckRow> checkRows(const DoctorReport& report) {
    std::vector<CheckRow> rows;
    for (const DeviceReport& device : report.devices)
        for (const CanaryFinding& finding : device.canary)
            if (healthOf(finding) != Health::good) rows.push_back(failedRow(device, finding));
    std::ranges::stable_sort(rows, std::greater<>(), &CheckRow::health);
    for (const DeviceReport& device : report.devices)
        for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
            if (const CheckRow row = passedRow(device, static_cast<CanaryKind>(kind)); !row.result.isEmpty())
                rows.push_back(row);
    return rows;
}

QString libraryText(const std::string& name) {
    return translatedText(kContext, kLibraries, {.code = name, .text = name});
}

QString numericSwitchHelp(const std::string& name) {
    return translatedText(kContext, kSwitches, {.code = name});
}

}  // namespace kinescope::ui
