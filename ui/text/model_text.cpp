#include "ui/text/model_text.h"

#include <QCoreApplication>

#include "ui/text/error_message.h"
#include "ui/text/message_form.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

constexpr auto kContext = "ModelText";

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ModelText)
};

constexpr MessageForm kReasons[] = {
    {"wan_transformer",
     QT_TRANSLATE_NOOP("ModelText", "Wan modulation tables, patch embedding with %1 channels; %2 blocks of width %3"),
     {"channels", "blocks", "width"}},
    {"wan_vace_module",
     QT_TRANSLATE_NOOP("ModelText", "a VACE branch of its own; %1 blocks of width %2"),
     {"blocks", "width"}},
    {"cogvideox_transformer",
     QT_TRANSLATE_NOOP("ModelText", "CogVideoX expert norms; %1 blocks, %2 heads of width %3, %4 input channels"),
     {"blocks", "heads", "width", "channels"}},
    {"svd_unet", QT_TRANSLATE_NOOP("ModelText", "a U-Net with temporal blocks, channels %1"), {"channels"}},
    {"ltx_transformer",
     QT_TRANSLATE_NOOP("ModelText", "LTX-Video transformer; %1 blocks of width %2"),
     {"blocks", "width"}},
    {"wan_vae", QT_TRANSLATE_NOOP("ModelText", "a causal video VAE with RMS norms, %1 latent channels"), {"channels"}},
    {"wan_vae_2_2",
     QT_TRANSLATE_NOOP("ModelText", "a causal video VAE with RMS norms and residual shortcuts, %1 latent channels"),
     {"channels"}},
    {"cogvideox_vae",
     QT_TRANSLATE_NOOP("ModelText", "a causal video VAE with latent-conditioned decoder norms, %1 latent channels"),
     {"channels"}},
    {"svd_vae", QT_TRANSLATE_NOOP("ModelText", "a VAE with a temporal decoder, channels %1"), {"channels"}},
    {"ltx_vae",
     QT_TRANSLATE_NOOP("ModelText", "a video VAE with 4 × 4 patches and per-channel statistics, %1 latent channels"),
     {"channels"}},
    {"t5", QT_TRANSLATE_NOOP("ModelText", "%1 T5 layers with a shared relative position table (T5)"), {"layers"}},
    {"umt5", QT_TRANSLATE_NOOP("ModelText", "%1 T5 layers with separate relative position tables (UMT5)"), {"layers"}},
    {"clip_vision",
     QT_TRANSLATE_NOOP("ModelText", "a CLIP vision encoder with %1 layers of width %2"),
     {"layers", "width"}},
    {"tokenizer_within", QT_TRANSLATE_NOOP("ModelText", "The tokenizer is part of %1"), {"file"}},
    {"pipeline", QT_TRANSLATE_NOOP("ModelText", "model_index.json names the pipeline %1"), {"class"}},
    {"denoiser_class", QT_TRANSLATE_NOOP("ModelText", "The denoiser is a %1"), {"class"}},
    {"lora",
     QT_TRANSLATE_NOOP("ModelText", "A LoRA of rank %1 for %2 modules, %3 naming"),
     {"rank", "modules", "naming"}},
    {"lora_base", QT_TRANSLATE_NOOP("ModelText", "Made for %1"), {"model"}},
    {"lora_unknown", QT_TRANSLATE_NOOP("ModelText", "The modules of the LoRA do not match any supported model")},
    {"unrecognized", QT_TRANSLATE_NOOP("ModelText", "%1 unrecognized tensors, for example %2"), {"count", "tensor"}},
    {"only_a_part", QT_TRANSLATE_NOOP("ModelText", "The file contains only a component of a model")},
    {"upscaler", QT_TRANSLATE_NOOP("ModelText", "An upscaler for finished frames: %1"), {"network"}},
    {"interpolator", QT_TRANSLATE_NOOP("ModelText", "An interpolator for finished frames: %1"), {"network"}},
    {"tiny_decoder",
     QT_TRANSLATE_NOOP("ModelText", "A tiny decoder for previews and drafts, %1 latent channels"),
     {"channels"}},
    {"tensors_unknown", QT_TRANSLATE_NOOP("ModelText", "The tensors in the file do not match any supported model")},
};

constexpr MessageForm kMissing[] = {
    {"no_folder", QT_TRANSLATE_NOOP("ModelText", "The folder %1 with a %2 was not found"), {"path", "class"}},
    {"no_file",
     QT_TRANSLATE_NOOP("ModelText", "%2 contains neither %1 nor another suitable file"),
     {"files", "folders"}},
    {"no_expert",
     QT_TRANSLATE_NOOP("ModelText", "The other expert (for example %1) was not found in %2"),
     {"files", "folders"}},
    {"no_tokenizer",
     QT_TRANSLATE_NOOP("ModelText",
                       "%2 contains no tokenizer folder (%1), and the text encoder file contains no tokenizer"),
     {"files", "folders"}},
    {"not_listed",
     QT_TRANSLATE_NOOP("ModelText", "The denoiser needs this component, but model_index.json does not list it")},
};

/// Translatable names of the naming schemes of tensors.
constexpr MessageForm kNamings[] = {
    {"diffusers names", QT_TRANSLATE_NOOP("ModelText", "diffusers naming")},
    {"the original (SAT) names", QT_TRANSLATE_NOOP("ModelText", "original (SAT) naming")},
    {"the original authors' tensor names", QT_TRANSLATE_NOOP("ModelText", "original authors' naming")},
    {"open_clip's names", QT_TRANSLATE_NOOP("ModelText", "open_clip naming")},
    {"Hugging Face names", QT_TRANSLATE_NOOP("ModelText", "Hugging Face naming")},
    {"llama.cpp's names", QT_TRANSLATE_NOOP("ModelText", "llama.cpp naming")},
};

QString namingText(const LocalizableMessage& reason) {
    const QString naming = valueOf(reason, "naming"), prefix = valueOf(reason, "prefix");
    const QString words =
        translatedText(kContext, kNamings, {.code = naming.toStdString(), .text = naming.toStdString()});
    return prefix.isEmpty() ? words : filled(Tr::tr("%1, prefix %2", "naming, prefix"), {words, prefix});
}

QString errorText(const LocalizableMessage& said) {
    const ErrorCode code = error_code_from(said.values.at("error"));
    return errorMessage(Error(code, said.text, {}, said.values));
}

}  // namespace

QString recognitionText(const LocalizableMessage& reason) {
    if (reason.code == "error") return errorText(reason);
    const QString words = translatedText(kContext, kReasons, reason);
    const QString file = valueOf(reason, "file");
    if (file.isEmpty() || reason.code == "tokenizer_within" || reason.code.empty()) return words;
    if (!reason.values.contains("naming") || !reason.values.contains("component"))
        return filled(Tr::tr("%1: %2", "file, description"), {file, words});
    return filled(Tr::tr("%1: %2; %3", "component, description, naming"),
                  {componentName(reason.values.at("component")), words, namingText(reason)});
}

QString missingText(const LocalizableMessage& missing) {
    return missing.code == "error" ? errorText(missing) : translatedText(kContext, kMissing, missing);
}

}  // namespace kinescope::ui
