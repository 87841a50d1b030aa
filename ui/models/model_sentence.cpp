#include "ui/models/model_sentence.h"

#include <QCoreApplication>

#include "ui/models/error_sentence.h"
#include "ui/models/sentence_form.h"
#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

constexpr auto kContext = "ModelSentence";

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ModelSentence)
};

constexpr SentenceForm kReasons[] = {
    {"wan_transformer",
     QT_TRANSLATE_NOOP("ModelSentence",
                       "Wan's modulation tables and a patch embedding of %1 channels; %2 blocks of width %3"),
     {"channels", "blocks", "width"}},
    {"cogvideox_transformer",
     QT_TRANSLATE_NOOP("ModelSentence", "CogVideoX's expert norms; %1 blocks, %2 heads of %3, %4 input channels"),
     {"blocks", "heads", "width", "channels"}},
    {"svd_unet", QT_TRANSLATE_NOOP("ModelSentence", "a UNet with temporal blocks, channels %1"), {"channels"}},
    {"wan_vae",
     QT_TRANSLATE_NOOP("ModelSentence", "a causal video VAE with RMS norms, %1 latent channels"),
     {"channels"}},
    {"wan_vae_2_2",
     QT_TRANSLATE_NOOP("ModelSentence", "a causal video VAE with RMS norms, %1 latent channels, residual shortcuts"),
     {"channels"}},
    {"cogvideox_vae",
     QT_TRANSLATE_NOOP("ModelSentence", "a causal video VAE whose decoder norms see the latents, %1 latent channels"),
     {"channels"}},
    {"svd_vae", QT_TRANSLATE_NOOP("ModelSentence", "a VAE with a temporal decoder, channels %1"), {"channels"}},
    {"t5", QT_TRANSLATE_NOOP("ModelSentence", "%1 T5 layers, one table of relative positions (T5)"), {"layers"}},
    {"umt5",
     QT_TRANSLATE_NOOP("ModelSentence", "%1 T5 layers, each with a table of relative positions (UMT5)"),
     {"layers"}},
    {"clip_vision",
     QT_TRANSLATE_NOOP("ModelSentence", "a CLIP vision tower of %1 layers, width %2"),
     {"layers", "width"}},
    {"tokenizer_within", QT_TRANSLATE_NOOP("ModelSentence", "The tokenizer lies in %1"), {"file"}},
    {"pipeline", QT_TRANSLATE_NOOP("ModelSentence", "model_index.json names the pipeline %1"), {"class"}},
    {"denoiser_class", QT_TRANSLATE_NOOP("ModelSentence", "Its denoiser is a %1"), {"class"}},
    {"lora",
     QT_TRANSLATE_NOOP("ModelSentence", "A LoRA: products of rank %1 for %2 modules, %3 names"),
     {"rank", "modules", "naming"}},
    {"lora_base", QT_TRANSLATE_NOOP("ModelSentence", "Made for %1"), {"model"}},
    {"lora_unknown", QT_TRANSLATE_NOOP("ModelSentence", "Its modules are of no known model")},
    {"strangers", QT_TRANSLATE_NOOP("ModelSentence", "%1 tensors of no known kind, such as %2"), {"count", "tensor"}},
    {"only_a_part", QT_TRANSLATE_NOOP("ModelSentence", "One part of a model, not a whole one")},
    {"tensors_unknown", QT_TRANSLATE_NOOP("ModelSentence", "Its tensors are of no known model")},
};

constexpr SentenceForm kMissing[] = {
    {"no_folder", QT_TRANSLATE_NOOP("ModelSentence", "The folder %1 with a %2 is not there"), {"path", "class"}},
    {"no_file",
     QT_TRANSLATE_NOOP("ModelSentence", "Neither %1 nor another file that fits is in %2"),
     {"files", "folders"}},
    {"no_expert",
     QT_TRANSLATE_NOOP("ModelSentence", "The other expert, such as %1, is not in %2"),
     {"files", "folders"}},
    {"no_tokenizer",
     QT_TRANSLATE_NOOP("ModelSentence", "None of the folders %1 is in %2, and the text encoder's file carries none"),
     {"files", "folders"}},
    {"not_listed", QT_TRANSLATE_NOOP("ModelSentence", "The denoiser needs it, and the model's index does not list it")},
};

/// Whose names the tensors of a file have.
constexpr SentenceForm kNamings[] = {
    {"diffusers names", QT_TRANSLATE_NOOP("ModelSentence", "diffusers names")},
    {"the original (SAT) names", QT_TRANSLATE_NOOP("ModelSentence", "the original (SAT) names")},
    {"the original authors' names", QT_TRANSLATE_NOOP("ModelSentence", "the original authors' names")},
    {"open_clip's names", QT_TRANSLATE_NOOP("ModelSentence", "open_clip's names")},
    {"Hugging Face names", QT_TRANSLATE_NOOP("ModelSentence", "Hugging Face names")},
    {"llama.cpp's names", QT_TRANSLATE_NOOP("ModelSentence", "llama.cpp's names")},
};

QString namingText(const Sentence& reason) {
    const QString naming = valueOf(reason, "naming"), prefix = valueOf(reason, "prefix");
    const QString words = sayIn(kContext, kNamings, {.code = naming.toStdString(), .text = naming.toStdString()});
    return prefix.isEmpty() ? words : filled(Words::tr("%1 below %2", "names, prefix"), {words, prefix});
}

QString errorText(const Sentence& said) {
    const ErrorCode code = error_code_from(said.values.at("error"));
    return errorSentence(Error(code, said.text, {}, said.values));
}

}  // namespace

QString recognitionText(const Sentence& reason) {
    if (reason.code == "error") return errorText(reason);
    const QString words = sayIn(kContext, kReasons, reason);
    const QString file = valueOf(reason, "file");
    if (file.isEmpty() || reason.code == "tokenizer_within" || reason.code.empty()) return words;
    if (!reason.values.contains("naming") || !reason.values.contains("component"))
        return filled(Words::tr("%1: %2", "file, what it is"), {file, words});
    return filled(Words::tr("%1: %2; %3", "part, what it is, whose names"),
                  {componentName(reason.values.at("component")), words, namingText(reason)});
}

QString missingText(const Sentence& missing) {
    return missing.code == "error" ? errorText(missing) : sayIn(kContext, kMissing, missing);
}

}  // namespace kinescope::ui
