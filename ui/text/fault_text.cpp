#include "ui/text/fault_text.h"
#include "ui/text/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/api/guidance_fields.h"
#include "core/api/prompt_variants.h"
#include "core/api/utf8.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(FaultText)
};

struct Case {
    const VideoRequest& request;
    const ModelCard& card;
};

QString shown(double number) {
    return number == std::floor(number) ? QLocale().toString(number, 'f', 0) : QLocale().toString(number, 'g');
}

QString between(double low, double high) {
    return Tr::tr("Must be between %1 and %2.").arg(shown(low), shown(high));
}

QString notKnownToTheModel() {
    return Tr::tr("This model does not support this setting.");
}

QString nameOf(const ModelCard& card) {
    return card.name.empty() ? Tr::tr("This model") : modelName(card);
}

bool hasNul(const std::string& text) {
    return text.find('\0') != std::string::npos;
}

QString textMessage(const std::string& text) {
    if (find_invalid_utf8(text)) return Tr::tr("Some characters are invalid. The text may use another encoding.");
    if (hasNul(text)) return Tr::tr("The text contains a NUL character. Remove it.");
    if (is_blank(text)) return Tr::tr("Enter a prompt.");
    return Tr::tr("Too long: %1 characters.").arg(QLocale().toString(qlonglong(count_characters(text))));
}

QString promptMessage(const Case& c) {
    try {
        prompt_variants(c.request.prompt);
    } catch (const Error&) {
        return Tr::tr("More than %1 combinations of alternatives in braces.").arg(kMostPromptVariants);
    }
    return textMessage(c.request.prompt);
}

QString imageMessage(const Case& c) {
    if (c.request.last_image && !c.request.image && !c.request.continue_video)
        return Tr::tr("A last frame requires a start image.");
    return c.request.image ? Tr::tr("%1 does not accept a start image.").arg(nameOf(c.card))
                           : Tr::tr("%1 requires a start image.").arg(nameOf(c.card));
}

QString lastImageMessage(const Case& c) {
    return c.request.last_image ? Tr::tr("%1 does not accept a last frame.").arg(nameOf(c.card))
                                : Tr::tr("%1 requires a last frame.").arg(nameOf(c.card));
}

int numFrames(const Case& c) {
    return c.request.num_frames.value_or(c.card.default_num_frames);
}

QString conditionsMessage(const Case& c) {
    if (!c.card.takes_conditions) return notKnownToTheModel();
    const auto isInvalid = [](const FrameCondition& one) { return !(one.strength >= 0 && one.strength <= 1); };
    const auto isOutside = [last = numFrames(c) - 1](const FrameCondition& one) {
        return one.frame_index < 0 || one.frame_index > last;
    };
    if (std::ranges::any_of(c.request.conditions, isOutside))
        return Tr::tr("Frame numbers must be between 0 and %1.").arg(numFrames(c) - 1);
    return std::ranges::any_of(c.request.conditions, isInvalid) ? Tr::tr("Strengths must be between 0 and 1.")
                                                                : Tr::tr("Two conditions have the same frame number.");
}

QString videoMessage(const Case& c) {
    return c.card.video_use == VideoUse::none ? Tr::tr("%1 does not accept a video.").arg(nameOf(c.card))
                                              : Tr::tr("Choose either a video or images.");
}

QString strengthMessage(const Case& c) {
    if (!c.request.video || c.card.video_use != VideoUse::start) return Tr::tr("Has no effect without a video.");
    const double strength = c.request.strength.value_or(1);
    return strength >= 0 && strength <= 1 ? Tr::tr("Too low: no step would run.") : between(0, 1);
}

QString maskMessage(const Case& c) {
    return c.card.video_use == VideoUse::control ? Tr::tr("A mask requires a control video.") : notKnownToTheModel();
}

QString controlMessage(const Case& c) {
    return c.card.video_use == VideoUse::control ? Tr::tr("Requires a video.") : notKnownToTheModel();
}

QString scaleMessage(const Case& c) {
    if (c.card.video_use != VideoUse::control) return notKnownToTheModel();
    const auto& scales = c.request.conditioning_scale;
    const bool hasWrongCount = scales.size() > 1 && static_cast<int>(scales.size()) != c.card.num_control_blocks;
    return hasWrongCount ? Tr::tr("Must be one number or %1 numbers.").arg(c.card.num_control_blocks) : between(0, 10);
}

QString continueMessage(const Case& c) {
    return c.card.continuation == Continuation::none
               ? Tr::tr("%1 cannot continue a video.").arg(nameOf(c.card))
               : Tr::tr("The video replaces the start image and the input video. Remove them.");
}

QString nextPromptsMessage(const Case& c) {
    if (c.card.continuation == Continuation::none) return Tr::tr("%1 cannot continue a video.").arg(nameOf(c.card));
    if (c.request.num_frames == 1) return Tr::tr("A continuation needs more than 1 frame.");
    for (const std::string& prompt : c.request.next_prompts)
        if (find_invalid_utf8(prompt) || hasNul(prompt) || count_characters(prompt) > kMaxPromptCharacters)
            return textMessage(prompt);
    const bool isEmpty = std::ranges::any_of(c.request.next_prompts, is_blank);
    if (isEmpty && c.card.takes_prompt) return Tr::tr("Enter a prompt for each part.");
    return Tr::tr("A part cannot be made with these settings.");
}

QString audioMessage(const Case& c) {
    const bool isLengthUnknown = c.request.continue_video || num_parts(c.request) > 1;
    return isLengthUnknown ? Tr::tr("Sound can be added only to the finished file.")
                           : Tr::tr("Videos of this format contain no sound.");
}

QString sideMessage(const std::optional<int>& side, const ModelCard& card) {
    const bool inRange = side && *side >= 1 && *side <= card.max_side;
    return inRange ? Tr::tr("Must be a multiple of %1.").arg(card.size_multiple)
                   : between(card.size_multiple, card.max_side);
}

QString framesMessage(const Case& c) {
    const auto frames = c.request.num_frames;
    if (c.request.continue_video && frames == 1) return Tr::tr("A continuation needs more than 1 frame.");
    if (!frames || *frames < 1 || *frames > c.card.max_num_frames) return between(1, c.card.max_num_frames);
    return c.card.num_frames_offset == 0 ? Tr::tr("Must be a multiple of %1.").arg(c.card.num_frames_multiple)
                                         : Tr::tr("Must be a multiple of %1, plus 1.").arg(c.card.num_frames_multiple);
}

QString guidanceStopMessage(const Case& c) {
    const double stop = c.request.guidance_stop.value_or(1.0);
    return stop >= 0 && stop <= 1 ? Tr::tr("Must not be less than the start of guidance.") : between(0, 1);
}

QString schedulerMessage(const Case& c) {
    return c.request.scheduler ? Tr::tr("Not compatible with this model.")
                               : Tr::tr("The model's own scheduler is not supported. Choose another one.");
}

QString outputMessage(const Case& c) {
    return c.request.output.file.extension() == ".png"
               ? Tr::tr("A .png file can hold only one frame. Set the length to 1 frame.")
               : Tr::tr("Unsupported file name extension.");
}

/// The range of a field of a guidance method; nullopt: there is no such field.
std::optional<QString> guidanceMessage(const std::string& field) {
    std::optional<QString> text;
    for_each_guidance_field([&](const auto& known) {
        if (field == known.name) text = between(known.min, known.max);
    });
    return text;
}

QString skippedBlocksMessage(const Case& c) {
    const auto& blocks = c.request.skip_layer_guidance_layers;
    if (blocks && blocks->empty()) return Tr::tr("Enter at least one block.");
    return between(0, c.card.num_blocks - 1);
}

QString guidanceScaleMessage(const Case& c) {
    const bool is_nag = c.request.guidance_method == GuidanceMethod::nag;
    return is_nag && is_guided(c.request) ? Tr::tr("Must be 1 with the method NAG.") : between(0, 100);
}

QString extraMessage(const std::string& field, const ModelCard& card) {
    if (const auto text = guidanceMessage(field)) return *text;
    const CardField* known = card.extra_field(field);
    return known ? between(known->min, known->max) : notKnownToTheModel();
}

QString precisionMessage(const Case&) {
    return Tr::tr("Unknown precision.");
}

QString sameFileMessage(const Case&) {
    return Tr::tr("Two outputs have the same file name.");
}

using Message = QString (*)(const Case&);

/// Returns the messages by field, one for each field that validate() checks. Messages for fields of a model family
/// depend on the card.
const std::map<std::string, Message>& messages() {
    static const std::map<std::string, Message> all{
        {"model", [](const Case&) { return Tr::tr("Choose a model."); }},
        {"prompt", promptMessage},
        {"negative_prompt", [](const Case& c) { return textMessage(c.request.negative_prompt.value_or("")); }},
        {"image", imageMessage},
        {"last_image", lastImageMessage},
        {"conditions", conditionsMessage},
        {"video", videoMessage},
        {"strength", strengthMessage},
        {"mask", maskMessage},
        {"control", controlMessage},
        {"reference_images", [](const Case&) { return notKnownToTheModel(); }},
        {"conditioning_scale", scaleMessage},
        {"continue_video", continueMessage},
        {"next_prompts", nextPromptsMessage},
        {"audio", audioMessage},
        {"width", [](const Case& c) { return sideMessage(c.request.width, c.card); }},
        {"height", [](const Case& c) { return sideMessage(c.request.height, c.card); }},
        {"num_frames", framesMessage},
        {"fps", [](const Case&) { return between(1, 120); }},
        {"num_inference_steps", [](const Case&) { return between(1, 1000); }},
        {"guidance_scale", guidanceScaleMessage},
        {"guidance_method", [](const Case&) { return notKnownToTheModel(); }},
        {"skip_layer_guidance_layers", skippedBlocksMessage},
        {"variation_of", [](const Case&) { return notKnownToTheModel(); }},
        {"variation_strength", [](const Case&) { return between(0, 1); }},
        {"decode", [](const Case&) { return Tr::tr("No tiny decoder is known for this model."); }},
        {"guidance_scale_2",
         [](const Case& c) { return c.card.default_guidance_scale_2 ? between(0, 100) : notKnownToTheModel(); }},
        {"use_dynamic_cfg", [](const Case&) { return notKnownToTheModel(); }},
        {"guidance_start", [](const Case&) { return between(0, 1); }},
        {"guidance_stop", guidanceStopMessage},
        {"step_cache", [](const Case&) { return between(0, 1); }},
        {"flow_shift", [](const Case&) { return between(0.01, 100); }},
        {"scheduler", schedulerMessage},
        {"max_sequence_length", [](const Case& c) { return between(1, c.card.max_sequence_length); }},
        {"preset", [](const Case&) { return Tr::tr("Preset not found."); }},
        {"device", [](const Case&) { return Tr::tr("Unknown device."); }},
        {"dtype", precisionMessage},
        {"text_encoder_dtype", precisionMessage},
        {"vae_dtype", precisionMessage},
        {"vae_tiling", [](const Case&) { return notKnownToTheModel(); }},
        {"max_memory", [](const Case&) { return Tr::tr("Must be greater than 0."); }},
        {"threads", [](const Case&) { return between(1, 1024); }},
        {"output", outputMessage},
        {"crf", [](const Case&) { return between(0, 63); }},
        {"numeric_log", sameFileMessage},
        {"numeric_csv", sameFileMessage},
        {"latents", sameFileMessage},
        {"frames", sameFileMessage},
    };
    return all;
}

}  // namespace

FaultText faultText(const Fault& fault, const VideoRequest& request, const ModelCard& card) {
    const auto message = messages().find(fault.field);
    const bool long_fix = fault.field == "prompt" || fault.field == "negative_prompt";
    const QString fix = fault.fix.empty() ? QString()
                        : long_fix        ? Tr::tr("Use the example")
                                          : Tr::tr("Use %1").arg(QString::fromStdString(fault.fix));
    return {message == messages().end() ? extraMessage(fault.field, card) : message->second({request, card}), fix,
            QString::fromStdString(fault.message)};
}

QString alternativesWarning(const std::string& prompt) {
    return has_unpaired_alternatives(prompt)
               ? Tr::tr("A brace has no partner, so it is read as text. Alternatives are written {red|blue}.")
               : QString();
}

void applyFix(VideoRequest& request, const Fault& fault) {
    const QString fix = QString::fromStdString(fault.fix);
    bool whole = false;
    bool real = false;
    const int value = fix.toInt(&whole);
    const double number = fix.toDouble(&real);
    if (fault.field == "prompt") request.prompt = fault.fix;
    if (fault.field == "scheduler") request.scheduler = fault.fix;
    if (fault.field == "guidance_method") request.guidance_method.reset();
    if (fault.field == "decode") request.decode = DecodeMode::full;
    for_each_guidance_field([&]<class Value>(const GuidanceField<Value>& field) {
        if (real && fault.field == field.name) request.*(field.member) = static_cast<Value>(number);
    });
    if (whole && fault.field == "width") request.width = value;
    if (whole && fault.field == "height") request.height = value;
    if (whole && fault.field == "num_frames") request.num_frames = value;
    if (whole && fault.field == "fps") request.fps = value;
    if (whole && fault.field == "num_inference_steps") request.num_inference_steps = value;
    if (real && fault.field == "guidance_scale") request.guidance_scale = number;
    if (real && fault.field == "guidance_scale_2") request.guidance_scale_2 = number;
    if (real && fault.field == "guidance_start") request.guidance_start = number;
    if (real && fault.field == "guidance_stop") request.guidance_stop = number;
    if (real && fault.field == "step_cache") request.step_cache = number;
    if (real && fault.field == "flow_shift") request.flow_shift = number;
    if (real && fault.field == "strength") request.strength = number;
    if (real && fault.field == "conditioning_scale") request.conditioning_scale = {number};
}

}  // namespace kinescope::ui
