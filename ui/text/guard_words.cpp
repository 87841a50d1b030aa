#include "ui/text/guard_words.h"

#include <QCoreApplication>
#include <optional>

#include "ui/text/message_form.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(GuardWords)
};

constexpr MessageForm kFindings[] = {
    {"near_limit", QT_TRANSLATE_NOOP("GuardWords", "peak %1, %2 of the fp16 range"), {"largest", "share"}},
    {"growth", QT_TRANSLATE_NOOP("GuardWords", "peak grew from %1 to %2 in one step"), {"from", "to"}},
    {"growth_in_steps",
     QT_TRANSLATE_NOOP("GuardWords", "peak grew from %1 to %2 in %3 steps, since the last computed one"),
     {"from", "to", "steps"}},
    {"dead_guidance", QT_TRANSLATE_NOOP("GuardWords", "same prediction with and without the prompt")},
    {"zero_prediction",
     QT_TRANSLATE_NOOP("GuardWords", "the model predicts 0 for every value; its weights are probably all zero")},
    {"velocity",
     QT_TRANSLATE_NOOP("GuardWords", "spread of the velocity changed from %1 to %2 in one step"),
     {"from", "to"}},
    {"spread",
     QT_TRANSLATE_NOOP("GuardWords", "spread of the latents is %1 times the value expected at this step"),
     {"times"}},
    {"unchanged", QT_TRANSLATE_NOOP("GuardWords", "%1 of the latents did not change in this step"), {"share"}},
    {"latents_jump",
     QT_TRANSLATE_NOOP("GuardWords", "spread of the latents jumped from %1 to %2 in one step"),
     {"from", "to"}},
    {"equal_words", QT_TRANSLATE_NOOP("GuardWords", "all tokens have the same embedding")},
    {"equal_patches", QT_TRANSLATE_NOOP("GuardWords", "all parts of the image have the same embedding")},
    {"zero_embeddings",
     QT_TRANSLATE_NOOP("GuardWords", "all embeddings are zero; the weights of the encoder are probably all zero")},
    {"equal_prompts", QT_TRANSLATE_NOOP("GuardWords", "prompt and negative prompt have the same embedding")},
    {"int8_coarse",
     QT_TRANSLATE_NOOP("GuardWords", "int8 is too coarse for this layer: %1 difference from float32"),
     {"share"}},
    {"kernel_differs",
     QT_TRANSLATE_NOOP("GuardWords", "%1 difference from float32 on the CPU: this device may compute incorrectly"),
     {"share"}},
    {"underflow",
     QT_TRANSLATE_NOOP("GuardWords", "%1 of %2 channels of a product are too small for fp16"),
     {"channels", "count"}},
    {"rounding", QT_TRANSLATE_NOOP("GuardWords", "the rounding error is only %1 dB below the result"), {"decibels"}},
    {"sensitive",
     QT_TRANSLATE_NOOP("GuardWords", "it amplifies the rounding of other ops, which leaves only %1 dB of its result"),
     {"decibels"}},
    {"float32_coarse",
     QT_TRANSLATE_NOOP("GuardWords", "values cancel so far that even float32 keeps few of their digits")},
    {"mistrusted", QT_TRANSLATE_NOOP("GuardWords", "the result agrees with float32 to only %1 dB"), {"decibels"}},
    {"unsteady",
     QT_TRANSLATE_NOOP("GuardWords", "this step agrees with float32 to %1 dB, later steps may agree less"),
     {"decibels"}},
    {"not_compared", QT_TRANSLATE_NOOP("GuardWords", "there is not enough memory to compare the result with float32")},
    {"float8_end", QT_TRANSLATE_NOOP("GuardWords", "%1 of the values are at the end of the fp8 range"), {"share"}},
    {"float8_zero", QT_TRANSLATE_NOOP("GuardWords", "%1 of the values become zero in fp8"), {"share"}},
    {"frames_equal", QT_TRANSLATE_NOOP("GuardWords", "all %1 frames are identical"), {"frames"}},
    {"frames_empty", QT_TRANSLATE_NOOP("GuardWords", "all %1 frames are one flat color without motion"), {"frames"}},
    {"frames_dark",
     QT_TRANSLATE_NOOP("GuardWords", "the video is too dark: its brightest value is %1 of 255"),
     {"largest"}},
    {"frames_extreme", QT_TRANSLATE_NOOP("GuardWords", "nearly all values are 0 or 255")},
    {"frames_black", QT_TRANSLATE_NOOP("GuardWords", "%1 of %2 frames are black"), {"black", "frames"}},
    {"seam_colors", QT_TRANSLATE_NOOP("GuardWords", "colors differ by %1 of 255 after the correction"), {"difference"}},
    {"out_of_memory", QT_TRANSLATE_NOOP("GuardWords", "the GPU ran out of memory")},
    {"learned", QT_TRANSLATE_NOOP("GuardWords", "raised in an earlier run of this model on this device")},
};

/// Describes how many values are not finite, if the counts are known: "2 NaN and 121 Inf of 4,096 values".
QString notFinite(const LocalizableMessage& found) {
    if (!found.values.contains("count")) return Tr::tr("invalid values (NaN or infinity)");
    const auto number = [&found](const char* name) { return numberText(valueOf(found, name)); };
    return filled(Tr::tr("%1 NaN and %2 Inf in %3 values"), {number("nan"), number("inf"), number("count")});
}

}  // namespace

QString foundText(const LocalizableMessage& found) {
    if (found.code == "not_finite") return notFinite(found);
    LocalizableMessage said = found;
    for (auto& [name, value] : said.values) value = numberText(QString::fromStdString(value)).toStdString();
    return translatedText("GuardWords", kFindings, said);
}

bool runsAgain(GuardAction action) {
    return action == GuardAction::repeat || saves_memory(action) ||
           (is_repair(action) && action != GuardAction::raise_ahead);
}

bool isSameStep(const GuardActed& earlier, const GuardActed& later) {
    return earlier.phase == later.phase && earlier.step == later.step && earlier.attempt < later.attempt;
}

namespace {

QString shortName(const ComputePrecision& precision) {
    return dtypeName(to_string(precision.dtype));
}

/// Returns the precision of a compute mode, or nullopt if the mode has none.
std::optional<ComputePrecision> precisionOf(const ComputeMode& mode) {
    if (const auto* precision = std::get_if<ComputePrecision>(&mode)) return *precision;
    if (const auto* device = std::get_if<OnDevice>(&mode)) return device->precision;
    return std::nullopt;
}

}  // namespace

QString repairedTo(const GuardActed& action) {
    const ComputePrecision precision = precisionOf(action.after).value_or(ComputePrecision());
    return precision.level == PrecisionLevel::scaled ? Tr::tr("in scaled %1").arg(shortName(precision))
                                                     : Tr::tr("in %1").arg(shortName(precision));
}

QString precisionLabel(const ComputePrecision& precision) {
    const QString dtype = shortName(precision);
    return precision.level == PrecisionLevel::scaled ? Tr::tr("scaled %1").arg(dtype) : dtype;
}

QString precisionLabel(const ComputeMode& mode) {
    const auto precision = precisionOf(mode);
    return precision ? precisionLabel(*precision) : QString();
}

}  // namespace kinescope::ui
