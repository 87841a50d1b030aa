#include "ui/models/fault_text.h"
#include "ui/models/words.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>
#include <map>

#include "core/api/utf8.h"

namespace kinescope::ui {
namespace {

struct Words {
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
    return Words::tr("Must be %1 to %2.").arg(shown(low), shown(high));
}

QString notKnownToTheModel() {
    return Words::tr("This model does not know it.");
}

QString nameOf(const ModelCard& card) {
    return card.name.empty() ? Words::tr("This model") : modelName(card);
}

QString textMessage(const std::string& text) {
    if (find_invalid_utf8(text)) return Words::tr("Some characters cannot be read: it may be in another encoding.");
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return Words::tr("Say what to show.");
    return Words::tr("Too long: it has %1 characters.").arg(QLocale().toString(qlonglong(count_characters(text))));
}

QString imageMessage(const Case& c) {
    if (c.request.last_image && !c.request.image) return Words::tr("A last frame needs a start image, too.");
    return c.request.image ? Words::tr("%1 makes video from words alone.").arg(nameOf(c.card))
                           : Words::tr("%1 makes video from a picture: add one.").arg(nameOf(c.card));
}

QString lastImageMessage(const Case& c) {
    return c.request.last_image
               ? Words::tr("%1 takes no last frame.").arg(nameOf(c.card))
               : Words::tr("%1 makes what lies between two pictures: add the last one.").arg(nameOf(c.card));
}

QString sideMessage(const std::optional<int>& side, const ModelCard& card) {
    const bool inRange = side && *side >= 1 && *side <= card.max_side;
    return inRange ? Words::tr("Must be a multiple of %1.").arg(card.size_multiple)
                   : between(card.size_multiple, card.max_side);
}

QString framesMessage(const Case& c) {
    const auto frames = c.request.num_frames;
    if (!frames || *frames < 1 || *frames > c.card.max_num_frames) return between(1, c.card.max_num_frames);
    return c.card.num_frames_offset == 0 ? Words::tr("Must be a multiple of %1.").arg(c.card.num_frames_multiple)
                                         : Words::tr("Must be %1n + 1.").arg(c.card.num_frames_multiple);
}

QString guidanceStopMessage(const Case& c) {
    const double stop = c.request.guidance_stop.value_or(1.0);
    return stop >= 0 && stop <= 1 ? Words::tr("Must not end before it begins.") : between(0, 1);
}

QString schedulerMessage(const Case& c) {
    return c.request.scheduler ? Words::tr("It does not fit this model.")
                               : Words::tr("The one that the model names cannot be used here: choose another.");
}

QString outputMessage(const Case& c) {
    return c.request.output.file.extension() == ".png"
               ? Words::tr("A .png file holds one picture: make the video one frame long.")
               : Words::tr("The file's ending is of no kind of video that can be written.");
}

QString extraMessage(const std::string& field, const ModelCard& card) {
    const CardField* known = card.extra_field(field);
    return known ? between(known->min, known->max) : notKnownToTheModel();
}

QString precisionMessage(const Case&) {
    return Words::tr("This precision is not known.");
}

QString sameFileMessage(const Case&) {
    return Words::tr("Two results would have the same file.");
}

using Message = QString (*)(const Case&);

/// One row for each field that validate() looks at; the families' own fields are in the card.
const std::map<std::string, Message>& messages() {
    static const std::map<std::string, Message> all{
        {"model", [](const Case&) { return Words::tr("Choose a model."); }},
        {"prompt", [](const Case& c) { return textMessage(c.request.prompt); }},
        {"negative_prompt", [](const Case& c) { return textMessage(c.request.negative_prompt.value_or("")); }},
        {"image", imageMessage},
        {"last_image", lastImageMessage},
        {"width", [](const Case& c) { return sideMessage(c.request.width, c.card); }},
        {"height", [](const Case& c) { return sideMessage(c.request.height, c.card); }},
        {"num_frames", framesMessage},
        {"fps", [](const Case&) { return between(1, 120); }},
        {"num_inference_steps", [](const Case&) { return between(1, 1000); }},
        {"guidance_scale", [](const Case&) { return between(0, 100); }},
        {"guidance_scale_2",
         [](const Case& c) { return c.card.default_guidance_scale_2 ? between(0, 100) : notKnownToTheModel(); }},
        {"use_dynamic_cfg", [](const Case&) { return notKnownToTheModel(); }},
        {"guidance_start", [](const Case&) { return between(0, 1); }},
        {"guidance_stop", guidanceStopMessage},
        {"step_cache", [](const Case&) { return between(0, 1); }},
        {"flow_shift", [](const Case&) { return between(0.01, 100); }},
        {"scheduler", schedulerMessage},
        {"seed", [](const Case&) { return Words::tr("Must be 0 or more."); }},
        {"max_sequence_length", [](const Case& c) { return between(1, c.card.max_sequence_length); }},
        {"preset", [](const Case&) { return Words::tr("This preset is not there."); }},
        {"device", [](const Case&) { return Words::tr("This device is not known."); }},
        {"dtype", precisionMessage},
        {"storage", precisionMessage},
        {"text_encoder_dtype", precisionMessage},
        {"vae_dtype", precisionMessage},
        {"vae_tiling", [](const Case&) { return notKnownToTheModel(); }},
        {"max_memory", [](const Case&) { return Words::tr("Must be more than 0."); }},
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
    const bool long_cure = fault.field == "prompt" || fault.field == "negative_prompt";
    const QString cure = fault.cure.empty() ? QString()
                         : long_cure        ? Words::tr("Use the example")
                                            : Words::tr("Use %1").arg(QString::fromStdString(fault.cure));
    return {message == messages().end() ? extraMessage(fault.field, card) : message->second({request, card}), cure,
            QString::fromStdString(fault.message)};
}

void applyCure(VideoRequest& request, const Fault& fault) {
    const QString cure = QString::fromStdString(fault.cure);
    bool whole = false;
    bool real = false;
    const int value = cure.toInt(&whole);
    const double number = cure.toDouble(&real);
    if (fault.field == "prompt") request.prompt = fault.cure;
    if (fault.field == "scheduler") request.scheduler = fault.cure;
    if (whole && fault.field == "width") request.width = value;
    if (whole && fault.field == "height") request.height = value;
    if (whole && fault.field == "num_frames") request.num_frames = value;
    if (whole && fault.field == "fps") request.fps = value;
    if (whole && fault.field == "num_inference_steps") request.num_inference_steps = value;
    if (whole && fault.field == "seed") request.seed = value;
    if (real && fault.field == "guidance_scale") request.guidance_scale = number;
    if (real && fault.field == "guidance_scale_2") request.guidance_scale_2 = number;
    if (real && fault.field == "guidance_start") request.guidance_start = number;
    if (real && fault.field == "guidance_stop") request.guidance_stop = number;
    if (real && fault.field == "step_cache") request.step_cache = number;
    if (real && fault.field == "flow_shift") request.flow_shift = number;
}

}  // namespace kinescope::ui
