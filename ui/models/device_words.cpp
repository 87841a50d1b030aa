#include "ui/models/device_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>

#include "ui/models/sentence_form.h"
#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

constexpr auto kContext = "DeviceWords";

struct Words {
    Q_DECLARE_TR_FUNCTIONS(DeviceWords)
};

constexpr SentenceForm kUnusable[] = {
    {"card_too_old",
     QT_TRANSLATE_NOOP("DeviceWords", "its compute capability is %1; LibTorch for CUDA %2 needs %3 or newer"),
     {"capability", "cuda", "lowest"}},
    {"cuda_not_loaded", QT_TRANSLATE_NOOP("DeviceWords", "LibTorch's CUDA part could not be loaded: %1"), {"error"}},
    {"driver_too_old",
     QT_TRANSLATE_NOOP("DeviceWords",
                       "its driver supports CUDA %1, and LibTorch needs CUDA %2; install a newer NVIDIA driver"),
     {"driver", "cuda"}},
    {"canary_failed", QT_TRANSLATE_NOOP("DeviceWords", "most checks in float32 failed")},
    {"canary_environment", QT_TRANSLATE_NOOP("DeviceWords", "the checks could not start on it: %1"), {"error"}},
};

constexpr SentenceForm kProbes[] = {
    {"two rows", QT_TRANSLATE_NOOP("DeviceWords", "two rows")},
    {"long rows", QT_TRANSLATE_NOOP("DeviceWords", "long rows")},
    {"sum of +8 and -8", QT_TRANSLATE_NOOP("DeviceWords", "sum of +8 and -8")},
    {"sum of 2048 and many 1/32", QT_TRANSLATE_NOOP("DeviceWords", "sum of 2048 and many 1/32")},
    {"attention", QT_TRANSLATE_NOOP("DeviceWords", "attention")},
    {"causal attention", QT_TRANSLATE_NOOP("DeviceWords", "causal attention")},
    {"attention over long keys", QT_TRANSLATE_NOOP("DeviceWords", "attention over long keys")},
    {"attention with large scores", QT_TRANSLATE_NOOP("DeviceWords", "attention with large scores")},
    {"convolution", QT_TRANSLATE_NOOP("DeviceWords", "convolution")},
    {"inverse square root", QT_TRANSLATE_NOOP("DeviceWords", "inverse square root")},
    {"product over stale memory", QT_TRANSLATE_NOOP("DeviceWords", "product over stale memory")},
    {"float8 cast", QT_TRANSLATE_NOOP("DeviceWords", "float8 cast")},
    {"many scores", QT_TRANSLATE_NOOP("DeviceWords", "many scores")},
};

/// The layers of few rows, behind the name of their model.
constexpr std::array kLayers{
    std::pair{" time embedder", QT_TRANSLATE_NOOP("DeviceWords", "%1 time embedder")},
    std::pair{" modulation", QT_TRANSLATE_NOOP("DeviceWords", "%1 modulation")},
    std::pair{" added times", QT_TRANSLATE_NOOP("DeviceWords", "%1 added times")},
    std::pair{" timesteps", QT_TRANSLATE_NOOP("DeviceWords", "%1 timesteps")},
};

constexpr SentenceForm kWays[] = {
    {"cuBLAS in place of cuBLASLt", QT_TRANSLATE_NOOP("DeviceWords", "cuBLAS in place of cuBLASLt")},
    {"cuDNN off", QT_TRANSLATE_NOOP("DeviceWords", "cuDNN off")},
    {"oneDNN off", QT_TRANSLATE_NOOP("DeviceWords", "oneDNN off")},
};

constexpr SentenceForm kAttentions[] = {
    {"standard", QT_TRANSLATE_NOOP("DeviceWords", "standard")},
    {"memory-efficient", QT_TRANSLATE_NOOP("DeviceWords", "memory-efficient")},
};

/// What resources/known_bad.json says, for the translators.
[[maybe_unused]] constexpr std::array kKnownBad{
    QT_TRANSLATE_NOOP("KnownBad",
                      "cuBLASLt before 12.4.5 divides by zero when it chooses a kernel for this card: a Linear of few "
                      "rows ends the process with SIGFPE."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "Install cuBLAS 12.4.5.8 or later (LibTorch for CUDA 13 brings one); until then the plain cuBLAS "
                      "backend is used where the canary finds it to work."),
    QT_TRANSLATE_NOOP("KnownBad", "3D convolutions in bfloat16 with large results are silently wrong."),
    QT_TRANSLATE_NOOP("KnownBad", "Install cuDNN 9.13 or later; until then run the VAE in float32 (--vae-dtype fp32)."),
    QT_TRANSLATE_NOOP("KnownBad", "3D convolutions in 16 bits go past cuDNN and take 3 to 17 times the memory."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.9.1 or later with cuDNN 9.15 or later."),
    QT_TRANSLATE_NOOP("KnownBad", "float16 makes NaN on cards of this kind."),
    QT_TRANSLATE_NOOP("KnownBad", "Leave --dtype at auto: weights stay in 16 bits and are multiplied in float32."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "bfloat16 is only emulated before compute capability 8.0, and cuDNN has no convolution for it, "
                      "whatever is_bf16_supported answers."),
    QT_TRANSLATE_NOOP("KnownBad", "Leave --dtype at auto."),
    QT_TRANSLATE_NOOP("KnownBad", "LibTorch for CUDA 13 holds no kernels for cards below compute capability 7.5."),
    QT_TRANSLATE_NOOP("KnownBad", "Use LibTorch for CUDA 12.6, or the CPU."),
    QT_TRANSLATE_NOOP("KnownBad", "cuDNN's attention, on by default, fails or is wrong for some layouts."),
    QT_TRANSLATE_NOOP("KnownBad", "Install LibTorch 2.5.1 or later; Kinescope never uses it."),
    QT_TRANSLATE_NOOP(
        "KnownBad",
        "Tensors beyond 2^30 elements are computed wrongly or crash; attention over many tokens makes them."),
    QT_TRANSLATE_NOOP("KnownBad", "Choose a smaller size or fewer frames when the canary or the guard says so."),
    QT_TRANSLATE_NOOP("KnownBad",
                      "baddbmm with beta 0 reads its uninitialised input: random NaN in bfloat16 attention."),
    QT_TRANSLATE_NOOP("KnownBad", "Nothing to do: Kinescope's layers do not use it, and the canary tries it."),
    QT_TRANSLATE_NOOP("KnownBad", "MPS has no bfloat16 before macOS 14."),
    QT_TRANSLATE_NOOP("KnownBad", "Leave --dtype at auto, or update macOS."),
};

QString layerName(const std::string& code) {
    const QString name = QString::fromStdString(code);
    for (const auto& [ending, words] : kLayers)
        if (name.endsWith(QLatin1String(ending)))
            return QCoreApplication::translate(kContext, words).arg(name.chopped(qstrlen(ending)));
    return name;
}

/// A word of the engine that is its own code.
QString sayWord(std::span<const SentenceForm> forms, const std::string& word) {
    return sayIn(kContext, forms, {.code = word, .text = word});
}

}  // namespace

QString unusableText(const Sentence& why) {
    return sayIn(kContext, kUnusable, why);
}

QString probeText(const Sentence& probe) {
    if (!probe.values.contains("dtype")) return QString::fromStdString(probe.text);
    return filled(Words::tr("%1, %2 %3", "check, dtype, shape"),
                  {sayIn(kContext, kProbes, {.code = probe.code, .text = layerName(probe.code).toStdString()}),
                   dtypeName(probe.values.at("dtype")), valueOf(probe, "shape")});
}

QString wayText(const Sentence& alternative) {
    QStringList ways;
    const QString codes = QString::fromStdString(alternative.code);
    for (const QString& way : codes.split(QStringLiteral(", "), Qt::SkipEmptyParts))
        ways << sayWord(kWays, way.toStdString());
    return ways.join(Words::tr(", ", "between ways around"));
}

QString knownBadText(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.what.c_str());
}

QString knownBadCure(const KnownBad& known) {
    return QCoreApplication::translate("KnownBad", known.cure.c_str());
}

QString attentionName(const std::string& attention) {
    return sayWord(kAttentions, attention);
}

}  // namespace kinescope::ui
