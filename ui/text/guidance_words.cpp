#include "ui/text/guidance_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(GuidanceWords)
};

}  // namespace

QString guidanceMethodName(GuidanceMethod method) {
    switch (method) {
        case GuidanceMethod::cfg_zero_star:
            return QStringLiteral("CFG-Zero*");
        case GuidanceMethod::apg:
            return QStringLiteral("APG");
        case GuidanceMethod::skip_layer:
            return Tr::tr("Skip-layer");
        case GuidanceMethod::nag:
            return QStringLiteral("NAG");
        case GuidanceMethod::standard:
            break;
    }
    return Tr::tr("Standard");
}

QString guidanceMethodText(GuidanceMethod method) {
    switch (method) {
        case GuidanceMethod::cfg_zero_star:
            return Tr::tr("Scales the unguided prediction to fit and leaves out the first step. Takes no extra time.");
        case GuidanceMethod::apg:
            return Tr::tr("Removes the part of guidance that saturates colors. Takes no extra time.");
        case GuidanceMethod::skip_layer:
            return Tr::tr(
                "Moves away from a prediction without some blocks. The steps that skip blocks run the model once "
                "more.");
        case GuidanceMethod::nag:
            return Tr::tr(
                "Applies the negative prompt inside attention, for models that run without guidance. Set guidance to "
                "1.");
        case GuidanceMethod::standard:
            break;
    }
    return Tr::tr("Classifier-free guidance.");
}

QString guidanceFieldTip(std::string_view field) {
    if (field == "zero_init_steps") return Tr::tr("Number of first steps that leave the noise unchanged.");
    if (field == "apg_momentum")
        return Tr::tr("Share of the earlier guidance directions. Negative values reverse them, which calms colors.");
    if (field == "apg_rescale") return Tr::tr("Largest norm of the guidance direction. 0 sets no limit.");
    if (field == "apg_eta") return Tr::tr("Share of the guidance along the prediction. 1 keeps all of it.");
    if (field == "skip_layer_guidance_scale") return Tr::tr("Higher values move further away.");
    if (field == "skip_layer_guidance_start" || field == "skip_layer_guidance_stop")
        return Tr::tr("Blocks are skipped between these fractions of the steps.");
    if (field == "nag_scale") return Tr::tr("Higher values avoid the negative prompt more strongly.");
    if (field == "nag_tau") return Tr::tr("Limits how much the attention grows.");
    if (field == "nag_alpha") return Tr::tr("Share of the changed attention in the result.");
    return {};
}

QString blocksText(const std::vector<int>& blocks) {
    QStringList numbers;
    for (const int block : blocks) numbers << QString::number(block);
    return numbers.join(QStringLiteral(", "));
}

std::vector<int> blocksFrom(const QString& text) {
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
    std::vector<int> blocks;
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        bool whole = false;
        const int block = word.toInt(&whole);
        if (whole) blocks.push_back(block);
    }
    return blocks;
}

}  // namespace kinescope::ui
