#include "ui/text/device_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>

#include "ui/text/message_form.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

constexpr auto kContext = "DeviceWords";

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(DeviceWords)
};

constexpr MessageForm kUnusable[] = {
    {"card_too_old",
     QT_TRANSLATE_NOOP("DeviceWords",
                       "its compute capability is %1; LibTorch for CUDA %2 requires %3 or higher. Build Kinescope with "
                       "%4, which supports this card"),
     {"capability", "cuda", "lowest", "wheel"}},
    {"cuda_not_loaded",
     QT_TRANSLATE_NOOP("DeviceWords", "LibTorch's CUDA libraries could not be loaded: %1"),
     {"error"}},
    {"gpu_support_missing", QT_TRANSLATE_NOOP("DeviceWords", "GPU support is not installed")},
    {"driver_too_old",
     QT_TRANSLATE_NOOP("DeviceWords",
                       "its driver supports CUDA %1, but LibTorch requires CUDA %2; install a newer NVIDIA driver"),
     {"driver", "cuda"}},
    {"canary_failed", QT_TRANSLATE_NOOP("DeviceWords", "most float32 checks failed")},
    {"canary_environment", QT_TRANSLATE_NOOP("DeviceWords", "the checks could not be started: %1"), {"error"}},
};

constexpr MessageForm kProbes[] = {
    {"two rows", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, two rows")},
    {"long rows", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, long rows")},
    {"sum of +8 and -8", QT_TRANSLATE_NOOP("DeviceWords", "sum of +8 and -8")},
    {"sum of 2048 and many 1/32", QT_TRANSLATE_NOOP("DeviceWords", "sum of 2048 and many values of 1/32")},
    {"attention", QT_TRANSLATE_NOOP("DeviceWords", "attention")},
    {"causal attention", QT_TRANSLATE_NOOP("DeviceWords", "causal attention")},
    {"attention over long keys", QT_TRANSLATE_NOOP("DeviceWords", "attention with long key sequences")},
    {"attention with large scores", QT_TRANSLATE_NOOP("DeviceWords", "attention with large scores")},
    {"convolution", QT_TRANSLATE_NOOP("DeviceWords", "convolution")},
    {"inverse square root", QT_TRANSLATE_NOOP("DeviceWords", "reciprocal square root")},
    {"product over stale memory", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, uninitialized bias")},
    {"float8 cast", QT_TRANSLATE_NOOP("DeviceWords", "float8 cast")},
    {"many scores", QT_TRANSLATE_NOOP("DeviceWords", "very large score matrix")},
    {"cuDNN attention", QT_TRANSLATE_NOOP("DeviceWords", "cuDNN attention")},
    {"TF32 convolution", QT_TRANSLATE_NOOP("DeviceWords", "TF32 convolution")},
    {"fused kernels", QT_TRANSLATE_NOOP("DeviceWords", "fused kernels")},
    {"fused norm", QT_TRANSLATE_NOOP("DeviceWords", "fused norm")},
    {"fused norm and rotary embedding", QT_TRANSLATE_NOOP("DeviceWords", "fused norm and rotary embedding")},
    {"fused gated sum", QT_TRANSLATE_NOOP("DeviceWords", "fused gated sum")},
    {"fused statistics", QT_TRANSLATE_NOOP("DeviceWords", "fused statistics")},
};

/// Endings of the names of probes for linear layers with few rows. The name of the model precedes them.
constexpr std::array kLayers{
    std::pair{" time embedder", QT_TRANSLATE_NOOP("DeviceWords", "%1 time embedder")},
    std::pair{" modulation", QT_TRANSLATE_NOOP("DeviceWords", "%1 modulation")},
    std::pair{" added times", QT_TRANSLATE_NOOP("DeviceWords", "%1 added time embedding")},
    std::pair{" timesteps", QT_TRANSLATE_NOOP("DeviceWords", "%1 timestep embedding")},
};

constexpr MessageForm kFallbacks[] = {
    {"cuBLAS instead of cuBLASLt", QT_TRANSLATE_NOOP("DeviceWords", "cuBLAS instead of cuBLASLt")},
    {"cuDNN off", QT_TRANSLATE_NOOP("DeviceWords", "cuDNN disabled")},
    {"oneDNN off", QT_TRANSLATE_NOOP("DeviceWords", "oneDNN disabled")},
    {"flash attention", QT_TRANSLATE_NOOP("DeviceWords", "flash attention")},
    {"float32 convolution", QT_TRANSLATE_NOOP("DeviceWords", "float32 convolution")},
    {"LibTorch's ops", QT_TRANSLATE_NOOP("DeviceWords", "LibTorch's ops")},
};

constexpr MessageForm kAttentions[] = {
    {"standard", QT_TRANSLATE_NOOP("DeviceWords", "standard")},
    {"memory-efficient", QT_TRANSLATE_NOOP("DeviceWords", "memory-efficient")},
};

/// Marks the strings of resources/known_bad.json for translation.
[[maybe_unused]] constexpr std::array kKnownBad{
    QT_TRANSLATE_NOOP("KnownBad",
                      "cuBLASLt before 12.4.5 divides by zero when it selects a kernel for this card: linear layers "
                      "with few rows crash with SIGFPE."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Install cuBLAS 12.4.5.8 or later (included in LibTorch for CUDA 13). Until then, Kinescope uses "
                      "plain cuBLAS if it passes the device check."),
    QT_TRANSLATE_NOOP("KnownBad", "bfloat16 3D convolutions silently return wrong results for large outputs."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Install cuDNN 9.13 or later. Until then, run the VAE in float32 (--vae-dtype fp32)."),
    QT_TRANSLATE_NOOP("KnownBad", "16-bit 3D convolutions bypass cuDNN and need 3 to 17 times the memory."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.9.1 or later with cuDNN 9.15 or later."),
    QT_TRANSLATE_NOOP("KnownBad", "float16 produces NaN on this type of card."),
    QT_TRANSLATE_NOOP("KnownBad", "Keep --dtype auto: weights are stored in 16 bits and multiplied in float32."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "bfloat16 is only emulated below compute capability 8.0, and cuDNN has no bfloat16 convolutions "
                      "there, even if is_bf16_supported returns true."),
    QT_TRANSLATE_NOOP("KnownBad", "Keep --dtype auto."),
    QT_TRANSLATE_NOOP("KnownBad", "LibTorch for CUDA 13 contains no kernels for cards below compute capability 7.5."),
    QT_TRANSLATE_NOOP("KnownBad", "Use LibTorch for CUDA 12.6, or the CPU."),
    QT_TRANSLATE_NOOP(
        "KnownBad",
        "cuDNN attention is enabled by default, but fails or returns wrong results for some memory layouts."),
    QT_TRANSLATE_NOOP(
        "KnownBad",
        "No action needed: Kinescope never uses cuDNN attention. LibTorch 2.5.1 or later does not have the fault."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Tensors with more than 2^30 elements cause wrong results or crashes. Attention over many tokens "
                      "creates such tensors."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Use a smaller size or fewer frames if the device check or the guard reports a problem."),
    QT_TRANSLATE_NOOP(
        "KnownBad",
        "baddbmm with beta 0 reads its uninitialized input, which causes random NaN in bfloat16 attention."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "No action needed: Kinescope does not use this operation, and the device check tests it."),
    QT_TRANSLATE_NOOP("KnownBad", "MPS does not support bfloat16 before macOS 14."),
    QT_TRANSLATE_NOOP("KnownBad", "Keep --dtype auto, or update macOS."),
    QT_TRANSLATE_NOOP("KnownBad", "Fused attention over more than about 15,000 rows returns wrong values without NaN."),
    QT_TRANSLATE_NOOP("KnownBad", "No action needed: Kinescope splits the queries into blocks of at most 2,048 rows."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "On an M4 with macOS 26.6 or 26.7, Wan's frames degrade with the length of the video."),
    QT_TRANSLATE_NOOP("KnownBad", "No fix is known. Use fewer frames, or compare a step with the CPU."),
    QT_TRANSLATE_NOOP("KnownBad", "3D convolutions return wrong results in macOS 26 before 26.3."),
    QT_TRANSLATE_NOOP("KnownBad", "Update to macOS 26.3 or later."),
    QT_TRANSLATE_NOOP("KnownBad", "bfloat16 attention in blocks can produce black video in LTX models."),
    QT_TRANSLATE_NOOP("KnownBad", "If the guard reports it, use --dtype fp32."),
    QT_TRANSLATE_NOOP("KnownBad", "The bfloat16 square root in RMS norms produces NaN."),
    QT_TRANSLATE_NOOP("KnownBad", "No action needed: Kinescope computes norms in float32."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Attention with few queries and 1,024 or more keys reads beyond the end of its input."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.11 or later."),
    QT_TRANSLATE_NOOP("KnownBad", "With macOS 27, UNet models return corrupt results."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.13 or later."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "bfloat16 products with AMX can carry NaN from one row into others if the inner dimension is not "
                      "a multiple of 32."),
    QT_TRANSLATE_NOOP(
        "KnownBad", "Keep --dtype auto, which computes in float32 on a CPU, or set DNNL_MAX_CPU_ISA=AVX512_CORE_BF16."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "bfloat16 3D convolutions with AMX return wrong results if the output is one value wide and the "
                      "stride is above one."),
    QT_TRANSLATE_NOOP("KnownBad", "Keep --vae-dtype auto, which is float32."),
    QT_TRANSLATE_NOOP("KnownBad", "Small bfloat16 convolutions return wrong results on AMD CPUs."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.6 or later, or keep --dtype auto."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Memory-efficient attention with a mask is reported to be wrong for expanded keys if their "
                      "number is a multiple of 32 plus one."),
    QT_TRANSLATE_NOOP("KnownBad", "Use LibTorch 2.11, for which Kinescope is built."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "When graphics memory is full, NVIDIA's driver for Windows can move data to main memory: runs "
                      "become many times slower instead of failing."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "In the NVIDIA Control Panel, set “CUDA - Sysmem Fallback Policy” to “Prefer No Sysmem Fallback” "
                      "for Kinescope."),
};

QString layerName(const std::string& code) {
    const QString name = QString::fromStdString(code);
    for (const auto& [ending, words] : kLayers)
        if (name.endsWith(QLatin1String(ending)))
            return QCoreApplication::translate(kContext, words).arg(name.chopped(qstrlen(ending)));
    return name;
}

/// Translates a text of the engine that has no code. The text is its own code.
QString translatedWord(std::span<const MessageForm> forms, const std::string& word) {
    return translatedText(kContext, forms, {.code = word, .text = word});
}

}  // namespace

QString unusableText(const LocalizableMessage& why) {
    return translatedText(kContext, kUnusable, why);
}

QString probeText(const LocalizableMessage& probe) {
    if (!probe.values.contains("dtype")) return translatedText(kContext, kProbes, probe);
    return filled(Tr::tr("%1, %2 %3", "check, dtype, shape"),
                  {translatedText(kContext, kProbes, {.code = probe.code, .text = layerName(probe.code).toStdString()}),
                   dtypeName(probe.values.at("dtype")), valueOf(probe, "shape")});
}

QString fallbackText(const LocalizableMessage& alternative) {
    QStringList fallbacks;
    const QString codes = QString::fromStdString(alternative.code);
    for (const QString& way : codes.split(QStringLiteral(", "), Qt::SkipEmptyParts))
        fallbacks << translatedWord(kFallbacks, way.toStdString());
    return fallbacks.join(Tr::tr(", ", "between fallbacks"));
}

QString knownBadText(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.what.c_str());
}

QString knownBadFix(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.fix.c_str());
}

QString attentionName(const std::string& attention) {
    return translatedWord(kAttentions, attention);
}

}  // namespace kinescope::ui
