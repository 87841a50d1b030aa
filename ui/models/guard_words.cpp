#include "ui/models/guard_words.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/models/sentence_form.h"
#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GuardWords)
};

constexpr SentenceForm kFindings[] = {
    {"near_limit", QT_TRANSLATE_NOOP("GuardWords", "largest value %1, %2 of the fp16 range"), {"largest", "share"}},
    {"growth", QT_TRANSLATE_NOOP("GuardWords", "largest value grew from %1 to %2 in one step"), {"from", "to"}},
    {"dead_guidance", QT_TRANSLATE_NOOP("GuardWords", "with and without the prompt the prediction is the same")},
    {"zero_prediction",
     QT_TRANSLATE_NOOP("GuardWords", "the model predicts 0 for every value; its weights are probably all zero")},
    {"velocity",
     QT_TRANSLATE_NOOP("GuardWords", "the prediction's spread went from %1 to %2 in one step"),
     {"from", "to"}},
    {"spread",
     QT_TRANSLATE_NOOP("GuardWords", "the latents' spread is %1 times what this step's noise makes expect"),
     {"times"}},
    {"unchanged", QT_TRANSLATE_NOOP("GuardWords", "%1 of the latents did not change in this step"), {"share"}},
    {"latents_jump",
     QT_TRANSLATE_NOOP("GuardWords", "the latents' spread jumped from %1 to %2 in one step"),
     {"from", "to"}},
    {"equal_words", QT_TRANSLATE_NOOP("GuardWords", "all words have the same embedding")},
    {"equal_prompts", QT_TRANSLATE_NOOP("GuardWords", "the prompt and what to avoid have the same embedding")},
    {"int8_coarse", QT_TRANSLATE_NOOP("GuardWords", "int8 rounds this layer too coarsely: %1 from float32"), {"share"}},
    {"kernel_differs",
     QT_TRANSLATE_NOOP("GuardWords", "%1 from float32 on the processor: this device may compute wrongly"),
     {"share"}},
    {"underflow",
     QT_TRANSLATE_NOOP("GuardWords", "%1 of %2 channels of a product are too small for fp16"),
     {"channels", "count"}},
    {"rounding",
     QT_TRANSLATE_NOOP("GuardWords", "rounding leaves only %1 dB between a product and its error"),
     {"decibels"}},
    {"float8_end", QT_TRANSLATE_NOOP("GuardWords", "%1 of the values are at the end of the fp8 range"), {"share"}},
    {"float8_zero", QT_TRANSLATE_NOOP("GuardWords", "%1 of the values become zero in fp8"), {"share"}},
    {"frames_equal", QT_TRANSLATE_NOOP("GuardWords", "all %1 frames are the same"), {"frames"}},
    {"frames_empty",
     QT_TRANSLATE_NOOP("GuardWords", "all %1 frames show one flat colour, and nothing moves"),
     {"frames"}},
    {"frames_dark",
     QT_TRANSLATE_NOOP("GuardWords", "the video is too dark to see: its largest value is %1 of 255"),
     {"largest"}},
    {"frames_extreme", QT_TRANSLATE_NOOP("GuardWords", "nearly all values are 0 or 255")},
    {"frames_black", QT_TRANSLATE_NOOP("GuardWords", "%1 of %2 frames are black"), {"black", "frames"}},
    {"learned", QT_TRANSLATE_NOOP("GuardWords", "an earlier run of this model on this device had to raise it")},
};

/// Counts where they are known: "2 NaN and 121 Inf of 4,096 values".
QString notFinite(const Sentence& found) {
    if (!found.values.contains("count")) return Words::tr("values that are not a number");
    return filled(
        Words::tr("%1 NaN and %2 Inf of %3 values"),
        {valueOf(found, "nan"), valueOf(found, "inf"), QLocale().toString(valueOf(found, "count").toLongLong())});
}

constexpr std::string_view kScaled = " scaled";

std::string_view dtypeOf(std::string_view precision) {
    return precision.ends_with(kScaled) ? precision.substr(0, precision.size() - kScaled.size()) : precision;
}

}  // namespace

QString foundText(const Sentence& found) {
    return found.code == "not_finite" ? notFinite(found) : sayIn("GuardWords", kFindings, found);
}

bool isRepair(GuardAction action) {
    switch (action) {
        case GuardAction::accumulate_float32:
        case GuardAction::raise:
        case GuardAction::raise_ahead:
        case GuardAction::raise_component:
        case GuardAction::move_to_cpu:
            return true;
        case GuardAction::warn:
        case GuardAction::observe:
        case GuardAction::repeat:
        case GuardAction::learned:
        case GuardAction::stop:
            return false;
    }
    return false;
}

bool runsAgain(GuardAction action) {
    return action == GuardAction::repeat || (isRepair(action) && action != GuardAction::raise_ahead);
}

bool isSameStep(const GuardActed& earlier, const GuardActed& later) {
    return earlier.phase == later.phase && earlier.step == later.step && earlier.attempt < later.attempt;
}

QString repairedTo(const GuardActed& action) {
    const QString dtype = dtypeName(dtypeOf(action.after));
    return dtypeOf(action.after).size() < action.after.size() ? Words::tr("scaled, in %1").arg(dtype)
                                                              : Words::tr("in %1").arg(dtype);
}

QString precisionLabel(const std::string& precision) {
    const QString dtype = dtypeName(dtypeOf(precision));
    return dtypeOf(precision).size() < precision.size() ? Words::tr("%1, scaled").arg(dtype) : dtype;
}

}  // namespace kinescope::ui
