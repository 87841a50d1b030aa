#include "ui/text/device_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
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
    {"two_rows", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, two rows")},
    {"long_rows", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, long rows")},
    {"cancelling_sum", QT_TRANSLATE_NOOP("DeviceWords", "sum of +8 and -8")},
    {"small_addends", QT_TRANSLATE_NOOP("DeviceWords", "sum of 2048 and many values of 1/32")},
    {"attention", QT_TRANSLATE_NOOP("DeviceWords", "attention")},
    {"causal_attention", QT_TRANSLATE_NOOP("DeviceWords", "causal attention")},
    {"long_keys", QT_TRANSLATE_NOOP("DeviceWords", "attention with long key sequences")},
    {"large_scores", QT_TRANSLATE_NOOP("DeviceWords", "attention with large scores")},
    {"conv2d", QT_TRANSLATE_NOOP("DeviceWords", "convolution")},
    {"rsqrt", QT_TRANSLATE_NOOP("DeviceWords", "reciprocal square root")},
    {"stale_bias", QT_TRANSLATE_NOOP("DeviceWords", "matrix product, uninitialized bias")},
    {"float8_cast", QT_TRANSLATE_NOOP("DeviceWords", "float8 cast")},
    {"many_scores", QT_TRANSLATE_NOOP("DeviceWords", "very large score matrix")},
    {"cudnn_attention", QT_TRANSLATE_NOOP("DeviceWords", "cuDNN attention")},
    {"tf32_conv2d", QT_TRANSLATE_NOOP("DeviceWords", "TF32 convolution")},
    {"fused_load", QT_TRANSLATE_NOOP("DeviceWords", "fused kernels")},
    {"fused_norm", QT_TRANSLATE_NOOP("DeviceWords", "fused norm")},
    {"fused_rotary", QT_TRANSLATE_NOOP("DeviceWords", "fused norm and rotary embedding")},
    {"fused_sum", QT_TRANSLATE_NOOP("DeviceWords", "fused gated sum")},
    {"fused_statistics", QT_TRANSLATE_NOOP("DeviceWords", "fused statistics")},
    {"fused_sum_norm", QT_TRANSLATE_NOOP("DeviceWords", "fused gated sum and norm")},
    {"fused_silu", QT_TRANSLATE_NOOP("DeviceWords", "fused norm and SiLU")},
    {"gelu_product", QT_TRANSLATE_NOOP("DeviceWords", "GELU in the matrix product")},
    {"time_embedder", QT_TRANSLATE_NOOP("DeviceWords", "%1 time embedder"), {"model"}},
    {"modulation", QT_TRANSLATE_NOOP("DeviceWords", "%1 modulation"), {"model"}},
    {"added_times", QT_TRANSLATE_NOOP("DeviceWords", "%1 added time embedding"), {"model"}},
    {"timesteps", QT_TRANSLATE_NOOP("DeviceWords", "%1 timestep embedding"), {"model"}},
};

/// In the order of CanaryFallback.
constexpr std::array kFallbacks{
    QT_TRANSLATE_NOOP("DeviceWords", "cuBLAS instead of cuBLASLt"),
    QT_TRANSLATE_NOOP("DeviceWords", "cuDNN disabled"),
    QT_TRANSLATE_NOOP("DeviceWords", "oneDNN disabled"),
    QT_TRANSLATE_NOOP("DeviceWords", "flash attention"),
    QT_TRANSLATE_NOOP("DeviceWords", "float32 convolution"),
    QT_TRANSLATE_NOOP("DeviceWords", "LibTorch's ops"),
};
static_assert(kFallbacks.size() == static_cast<std::size_t>(CanaryFallback::plain_ops) + 1);

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
    QT_TRANSLATE_NOOP("KnownBad",
                      "No action needed: Kinescope uses cuDNN attention only after the device check has compared it "
                      "with float32. LibTorch 2.5.1 or later does not have the fault."),
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

}  // namespace

QString unusableText(const LocalizableMessage& why) {
    return translatedText(kContext, kUnusable, why);
}

QString probeText(const LocalizableMessage& probe) {
    const bool isKnown = std::ranges::any_of(kProbes, [&](const MessageForm& form) { return probe.code == form.code; });
    const QString words = translatedText(kContext, kProbes, probe);
    if (!isKnown || !probe.values.contains("dtype")) return words;
    return filled(Tr::tr("%1, %2 %3", "check, dtype, shape"),
                  {words, dtypeName(probe.values.at("dtype")), valueOf(probe, "shape")});
}

QString fallbackText(const std::vector<CanaryFallback>& fallbacks) {
    QStringList words;
    for (const CanaryFallback each : fallbacks)
        words << QCoreApplication::translate(kContext, kFallbacks[static_cast<std::size_t>(each)]);
    return words.join(Tr::tr(", ", "between fallbacks"));
}

QString knownBadText(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.what.c_str());
}

QString knownBadFix(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.fix.c_str());
}

QString attentionName(const std::string& attention) {
    return translatedText(kContext, kAttentions, {.code = attention, .text = attention});
}

}  // namespace kinescope::ui
