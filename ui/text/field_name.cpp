#include "ui/text/field_name.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>
#include <utility>

namespace kinescope::ui {
namespace {

constexpr auto kContext = "FieldName";

constexpr std::array kNames{
    std::pair{"model", QT_TRANSLATE_NOOP("FieldName", "Model")},
    std::pair{"prompt", QT_TRANSLATE_NOOP("FieldName", "Prompt")},
    std::pair{"negative_prompt", QT_TRANSLATE_NOOP("FieldName", "Avoid")},
    std::pair{"image", QT_TRANSLATE_NOOP("FieldName", "Start image")},
    std::pair{"last_image", QT_TRANSLATE_NOOP("FieldName", "Last frame")},
    std::pair{"video", QT_TRANSLATE_NOOP("FieldName", "Video to change")},
    std::pair{"strength", QT_TRANSLATE_NOOP("FieldName", "Strength")},
    std::pair{"mask", QT_TRANSLATE_NOOP("FieldName", "Mask")},
    std::pair{"reference_images", QT_TRANSLATE_NOOP("FieldName", "Reference pictures")},
    std::pair{"conditioning_scale", QT_TRANSLATE_NOOP("FieldName", "Control scale")},
    std::pair{"control", QT_TRANSLATE_NOOP("FieldName", "Control video from")},
    std::pair{"image_fit", QT_TRANSLATE_NOOP("FieldName", "Image of another shape")},
    std::pair{"control_fit", QT_TRANSLATE_NOOP("FieldName", "Control fit")},
    std::pair{"continue_video", QT_TRANSLATE_NOOP("FieldName", "Video to continue")},
    std::pair{"next_prompts", QT_TRANSLATE_NOOP("FieldName", "Prompts of the next parts")},
    std::pair{"size", QT_TRANSLATE_NOOP("FieldName", "Size")},
    std::pair{"width", QT_TRANSLATE_NOOP("FieldName", "Width")},
    std::pair{"height", QT_TRANSLATE_NOOP("FieldName", "Height")},
    std::pair{"num_frames", QT_TRANSLATE_NOOP("FieldName", "Length")},
    std::pair{"fps", QT_TRANSLATE_NOOP("FieldName", "Frame rate")},
    std::pair{"num_inference_steps", QT_TRANSLATE_NOOP("FieldName", "Steps")},
    std::pair{"guidance_scale", QT_TRANSLATE_NOOP("FieldName", "Guidance")},
    std::pair{"guidance_scale_2", QT_TRANSLATE_NOOP("FieldName", "Guidance, second expert")},
    std::pair{"use_dynamic_cfg", QT_TRANSLATE_NOOP("FieldName", "Dynamic guidance")},
    std::pair{"guidance_start", QT_TRANSLATE_NOOP("FieldName", "Guided from")},
    std::pair{"guidance_stop", QT_TRANSLATE_NOOP("FieldName", "Guided until")},
    std::pair{"step_cache", QT_TRANSLATE_NOOP("FieldName", "Step cache")},
    std::pair{"flow_shift", QT_TRANSLATE_NOOP("FieldName", "Flow shift")},
    std::pair{"scheduler", QT_TRANSLATE_NOOP("FieldName", "Scheduler")},
    std::pair{"seed", QT_TRANSLATE_NOOP("FieldName", "Seed")},
    std::pair{"max_sequence_length", QT_TRANSLATE_NOOP("FieldName", "Prompt length")},
    std::pair{"variation_of", QT_TRANSLATE_NOOP("FieldName", "Variation of seed")},
    std::pair{"variation_strength", QT_TRANSLATE_NOOP("FieldName", "Variation strength")},
    std::pair{"guidance_method", QT_TRANSLATE_NOOP("FieldName", "Guidance method")},
    std::pair{"zero_init_steps", QT_TRANSLATE_NOOP("FieldName", "Zero steps")},
    std::pair{"apg_momentum", QT_TRANSLATE_NOOP("FieldName", "Momentum")},
    std::pair{"apg_rescale", QT_TRANSLATE_NOOP("FieldName", "Norm limit")},
    std::pair{"apg_eta", QT_TRANSLATE_NOOP("FieldName", "Parallel part (eta)")},
    std::pair{"skip_layer_guidance_layers", QT_TRANSLATE_NOOP("FieldName", "Skipped blocks")},
    std::pair{"skip_layer_guidance_scale", QT_TRANSLATE_NOOP("FieldName", "Skip-layer scale")},
    std::pair{"skip_layer_guidance_start", QT_TRANSLATE_NOOP("FieldName", "Skip from")},
    std::pair{"skip_layer_guidance_stop", QT_TRANSLATE_NOOP("FieldName", "Skip until")},
    std::pair{"nag_scale", QT_TRANSLATE_NOOP("FieldName", "NAG scale")},
    std::pair{"nag_tau", QT_TRANSLATE_NOOP("FieldName", "NAG limit (tau)")},
    std::pair{"nag_alpha", QT_TRANSLATE_NOOP("FieldName", "NAG share (alpha)")},
    std::pair{"decode", QT_TRANSLATE_NOOP("FieldName", "Draft decode")},
    std::pair{"previews", QT_TRANSLATE_NOOP("FieldName", "Live previews")},
    std::pair{"preview_decoder", QT_TRANSLATE_NOOP("FieldName", "Tiny decoder")},
    std::pair{"min_guidance_scale", QT_TRANSLATE_NOOP("FieldName", "Guidance, first frame")},
    std::pair{"max_guidance_scale", QT_TRANSLATE_NOOP("FieldName", "Guidance, last frame")},
    std::pair{"motion_bucket_id", QT_TRANSLATE_NOOP("FieldName", "Motion")},
    std::pair{"noise_aug_strength", QT_TRANSLATE_NOOP("FieldName", "Image noise")},
    std::pair{"decode_chunk_size", QT_TRANSLATE_NOOP("FieldName", "Frames decoded at once")},
    std::pair{"decode_timestep", QT_TRANSLATE_NOOP("FieldName", "Decoder noise level")},
    std::pair{"decode_noise_scale", QT_TRANSLATE_NOOP("FieldName", "Noise before decoding")},
    std::pair{"image_cond_noise_scale", QT_TRANSLATE_NOOP("FieldName", "Condition noise scale")},
    std::pair{"conditions", QT_TRANSLATE_NOOP("FieldName", "Condition images and videos")},
    std::pair{"preset", QT_TRANSLATE_NOOP("FieldName", "Preset")},
    std::pair{"device", QT_TRANSLATE_NOOP("FieldName", "Device")},
    std::pair{"dtype", QT_TRANSLATE_NOOP("FieldName", "Denoiser precision")},
    std::pair{"storage", QT_TRANSLATE_NOOP("FieldName", "Storage")},
    std::pair{"text_encoder_dtype", QT_TRANSLATE_NOOP("FieldName", "Text encoder precision")},
    std::pair{"vae_dtype", QT_TRANSLATE_NOOP("FieldName", "VAE precision")},
    std::pair{"vae_tiling", QT_TRANSLATE_NOOP("FieldName", "Decode in tiles")},
    std::pair{"offload", QT_TRANSLATE_NOOP("FieldName", "Stream blocks")},
    std::pair{"max_memory", QT_TRANSLATE_NOOP("FieldName", "Memory limit")},
    std::pair{"threads", QT_TRANSLATE_NOOP("FieldName", "Threads")},
    std::pair{"crf", QT_TRANSLATE_NOOP("FieldName", "Quality (CRF)")},
    std::pair{"output", QT_TRANSLATE_NOOP("FieldName", "Video file")},
    std::pair{"numeric_log", QT_TRANSLATE_NOOP("FieldName", "Numeric log")},
    std::pair{"numeric_csv", QT_TRANSLATE_NOOP("FieldName", "Numeric log (CSV)")},
    std::pair{"upscale", QT_TRANSLATE_NOOP("FieldName", "Upscaler")},
    std::pair{"upscale_factor", QT_TRANSLATE_NOOP("FieldName", "Size of the finished video")},
    std::pair{"interpolate", QT_TRANSLATE_NOOP("FieldName", "Interpolator")},
    std::pair{"interpolation_factor", QT_TRANSLATE_NOOP("FieldName", "Frame rate of the finished video")},
    std::pair{"interpolation_fps", QT_TRANSLATE_NOOP("FieldName", "Frame rate of the finished video")},
    std::pair{"audio", QT_TRANSLATE_NOOP("FieldName", "Audio")},
};
constexpr const char* kControlVideo = QT_TRANSLATE_NOOP("FieldName", "Control video");

/// Returns the English label of a field, or nullptr for another word.
const char* labelOf(std::string_view field) {
    for (const auto& [name, words] : kNames)
        if (field == name) return words;
    return nullptr;
}

}  // namespace

QString fieldName(std::string_view field) {
    if (const char* label = labelOf(field)) return QCoreApplication::translate(kContext, label);
    return QString::fromUtf8(field.data(), static_cast<qsizetype>(field.size()));
}

QString fieldName(std::string_view field, const ModelCard& card) {
    if (field == "video" && card.video_use == VideoUse::control)
        return QCoreApplication::translate(kContext, kControlVideo);
    return fieldName(field);
}

bool isFieldName(std::string_view field) {
    return labelOf(field) != nullptr;
}

QString withFieldLabels(QString message) {
    for (const auto& [name, words] : kNames) {
        const QString field = QLatin1String(name);
        if (!field.contains(QLatin1Char('_'))) continue;
        // The name of a file may contain such a word.
        const QRegularExpression word(QStringLiteral("(?<![\\w./\\\\-])%1(?![./\\\\-]?\\w)").arg(field));
        message.replace(word, QCoreApplication::translate(kContext, words));
    }
    return message;
}

}  // namespace kinescope::ui
