// Tests that faults of a request and errors of a run are shown in the window's language. The engine's English message
// appears only in the details.
#include <QtTest>
#include <functional>

#include "tests/support/chinese.h"
#include "ui/text/error_catalog.h"
#include "ui/text/fault_text.h"
#include "ui/text/field_name.h"
#include "ui/widgets/language.h"

using namespace kinescope;
using namespace kinescope::ui;
using kinescope::testing::isChinese;

namespace {

using Break = std::function<void(VideoRequest& request, ModelCard& card)>;

struct FaultRow {
    const char* name;
    const char* field;
    const char* message;
    Break change;
};

Break onRequest(void (*change)(VideoRequest&)) {
    return [change](VideoRequest& request, ModelCard&) { change(request); };
}

const std::vector<FaultRow>& faultRows() {
    using R = VideoRequest;
    static const std::vector<FaultRow> rows{
        {"no model", "model", "Choose a model.", onRequest([](R& r) { r.model.clear(); })},
        {"no words", "prompt", "Enter a prompt.", onRequest([](R& r) { r.prompt = " \n"; })},
        {"NUL", "prompt", "The text contains a NUL character. Remove it.",
         onRequest([](R& r) { r.prompt = std::string("a\0b", 3); })},
        {"not UTF-8", "prompt", "Some characters are invalid. The text may use another encoding.",
         onRequest([](R& r) { r.prompt = "caf\xe9"; })},
        {"long prompt", "prompt", "Too long: 20,001 characters.",
         onRequest([](R& r) { r.prompt.assign(20'001, 'a'); })},
        {"long words to avoid", "negative_prompt", "Too long: 20,001 characters.",
         onRequest([](R& r) { r.negative_prompt.emplace(20'001, 'a'); })},
        {"picture for words alone", "image", "Tiny does not accept a start image.",
         onRequest([](R& r) { r.image = "a.png"; })},
        {"no picture", "image", "Tiny requires a start image.",
         [](R&, ModelCard& card) { card.tasks = {Task::image_to_video}; }},
        {"last without first", "image", "A last frame requires a start image.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::text_to_video, Task::first_last_frame_to_video};
             r.last_image = "a.png";
         }},
        {"last frame", "last_image", "Tiny does not accept a last frame.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::image_to_video};
             r.image = r.last_image = "a.png";
         }},
        {"no last frame", "last_image", "Tiny requires a last frame.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::first_last_frame_to_video};
             r.image = "a.png";
         }},
        {"images at frames", "conditions", "This model does not support this setting.", onRequest([](R& r) {
             r.conditions = {{"a.png", 8}};
         })},
        {"frame behind the end", "conditions", "Frame numbers must be between 0 and 8.",
         [](R& r, ModelCard& card) {
             card.takes_conditions = true;
             r.num_frames = 9;
             r.conditions = {{"a.png", 9}};
         }},
        {"strength", "conditions", "Strengths must be between 0 and 1.",
         [](R& r, ModelCard& card) {
             card.takes_conditions = true;
             r.conditions = {{"a.png", 8, 2.0}};
         }},
        {"one frame for two images", "conditions", "Two conditions have the same frame number.",
         [](R& r, ModelCard& card) {
             card.takes_conditions = true;
             r.conditions = {{"a.png", 8}, {"b.png", 8}};
         }},
        {"odd width", "width", "Must be a multiple of 16.", onRequest([](R& r) { r.width = 50; })},
        {"no height", "height", "Must be between 16 and 4,096.", onRequest([](R& r) { r.height = 0; })},
        {"many frames", "num_frames", "Must be between 1 and 257.", onRequest([](R& r) { r.num_frames = 1000; })},
        {"frames between", "num_frames", "Must be a multiple of 4, plus 1.", onRequest([](R& r) { r.num_frames = 6; })},
        {"frames of another rule", "num_frames", "Must be a multiple of 4.",
         [](R& r, ModelCard& card) {
             card.num_frames_offset = 0;
             r.num_frames = 6;
         }},
        {"frame rate", "fps", "Must be between 1 and 120.", onRequest([](R& r) { r.fps = 0; })},
        {"steps", "num_inference_steps", "Must be between 1 and 1,000.",
         onRequest([](R& r) { r.num_inference_steps = 0; })},
        {"guidance", "guidance_scale", "Must be between 0 and 100.", onRequest([](R& r) { r.guidance_scale = -1; })},
        {"second guidance", "guidance_scale_2", "This model does not support this setting.",
         onRequest([](R& r) { r.guidance_scale_2 = 3; })},
        {"dynamic guidance", "use_dynamic_cfg", "This model does not support this setting.",
         onRequest([](R& r) { r.use_dynamic_cfg = true; })},
        {"guided from", "guidance_start", "Must be between 0 and 1.", onRequest([](R& r) { r.guidance_start = -1; })},
        {"guided until", "guidance_stop", "Must be between 0 and 1.", onRequest([](R& r) { r.guidance_stop = 2; })},
        {"guided backwards", "guidance_stop", "Must not be less than the start of guidance.", onRequest([](R& r) {
             r.guidance_start = 0.5;
             r.guidance_stop = 0.2;
         })},
        {"guidance method", "guidance_method", "This model does not support this setting.",
         onRequest([](R& r) { r.guidance_method = GuidanceMethod::apg; })},
        {"field of a method", "apg_eta", "Must be between 0 and 1.",
         [](R& r, ModelCard& card) {
             card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::apg};
             r.guidance_method = GuidanceMethod::apg;
             r.apg_eta = 2;
         }},
        {"no blocks", "skip_layer_guidance_layers", "Enter at least one block.",
         [](R& r, ModelCard& card) {
             card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::skip_layer};
             r.guidance_method = GuidanceMethod::skip_layer;
             r.skip_layer_guidance_layers.emplace();
         }},
        {"NAG and guidance", "guidance_scale", "Must be 1 with the method NAG.",
         [](R& r, ModelCard& card) {
             card.guidance_methods = {GuidanceMethod::standard, GuidanceMethod::nag};
             r.guidance_method = GuidanceMethod::nag;
             r.guidance_scale = 5;
         }},
        {"variation", "variation_of", "This model does not support this setting.",
         onRequest([](R& r) { r.variation_of = 5; })},
        {"draft", "decode", "No tiny decoder is known for this model.",
         onRequest([](R& r) { r.decode = DecodeMode::draft; })},
        {"step cache", "step_cache", "Must be between 0 and 1.", onRequest([](R& r) { r.step_cache = 1.5; })},
        {"flow shift", "flow_shift", "Must be between 0.01 and 100.", onRequest([](R& r) { r.flow_shift = 0; })},
        {"scheduler", "scheduler", "Not compatible with this model.", onRequest([](R& r) { r.scheduler = "ddim"; })},
        {"no scheduler", "scheduler", "The model's own scheduler is not supported. Choose another one.",
         [](R&, ModelCard& card) { card.scheduler_fault = "the scheduler is odd"; }},
        {"tokens", "max_sequence_length", "Must be between 1 and 512.",
         onRequest([](R& r) { r.max_sequence_length = 900; })},
        {"field of another family", "motion_bucket_id", "This model does not support this setting.",
         onRequest([](R& r) { r.motion_bucket_id = 1; })},
        {"field of the family", "motion_bucket_id", "Must be between 0 and 255.",
         [](R& r, ModelCard& card) {
             card.extra_fields = {{"motion_bucket_id", 127, 0, 255}};
             r.motion_bucket_id = 300;
         }},
        {"device", "device", "Unknown device.", onRequest([](R& r) { r.device = "abacus"; })},
        {"precision", "dtype", "Unknown precision.", onRequest([](R& r) { r.dtype = DtypeChoice::int8; })},
        {"text encoder", "text_encoder_dtype", "Unknown precision.",
         onRequest([](R& r) { r.text_encoder_dtype = DtypeChoice::fp8; })},
        {"VAE", "vae_dtype", "Unknown precision.", onRequest([](R& r) { r.vae_dtype = DtypeChoice::gguf; })},
        {"tiles", "vae_tiling", "This model does not support this setting.",
         onRequest([](R& r) { r.vae_tiling = true; })},
        {"memory", "max_memory", "Must be greater than 0.", onRequest([](R& r) { r.max_memory_bytes = 0; })},
        {"threads", "threads", "Must be between 1 and 1,024.", onRequest([](R& r) { r.threads = 0; })},
        {"one picture", "output", "A .png file can hold only one frame. Set the length to 1 frame.",
         onRequest([](R& r) { r.output.file = "a.png"; })},
        {"odd ending", "output", "Unsupported file name extension.", onRequest([](R& r) { r.output.file = "a.doc"; })},
        {"quality", "crf", "Must be between 0 and 63.", onRequest([](R& r) { r.output.crf = 90; })},
        {"sound in a GIF", "audio", "Videos of this format contain no sound.", onRequest([](R& r) {
             r.output.file = "a.gif";
             r.finish.audio.file = "a.wav";
         })},
        {"sound of a continued video", "audio", "Sound can be added only to the finished file.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::text_to_video, Task::image_to_video};
             card.continuation = Continuation::last_frame;
             r.continue_video = "a.mp4";
             r.output.file = "b.mp4";
             r.finish.audio.file = "a.wav";
         }},
        {"sound of a video of several parts", "audio", "Sound can be added only to the finished file.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::text_to_video, Task::image_to_video};
             card.continuation = Continuation::last_frame;
             r.next_prompts = {"A blue ball"};
             r.output.file = "b.mp4";
             r.finish.audio.file = "a.wav";
         }},
        {"same file", "numeric_log", "Two outputs have the same file name.",
         onRequest([](R& r) { r.output.numeric_log = r.output.file = "a.mp4"; })},
    };
    return rows;
}

struct ErrorRow {
    ErrorCode code;
    std::map<std::string, std::string> facts;
    const char* sentence;
};

/// Returns errors with every combination of values that changes the sentence.
const std::vector<ErrorRow>& errorRows() {
    static const std::vector<ErrorRow> rows{
        {ErrorCode::bad_request,
         {{"width", "48"}, {"seed", ""}},
         "Change these settings: Seed, Width (use 48). Reason: “What happened.”"},
        {ErrorCode::bad_request,
         {{"path", "/masks/black.png"}},
         "The engine refuses the settings: “What happened. Do this.”"},
        {ErrorCode::bad_request,
         {{"size", "33 x 32"}},
         "This format does not support 33 x 32 px. Use an even width and height, or PNG frames."},
        {ErrorCode::bad_request,
         {{"job", "3"}},
         "This job can no longer be changed because it has started, finished or been removed."},
        {ErrorCode::bad_request, {{"codec", "ffv1"}}, "This format does not support this quality. Use the default."},
        {ErrorCode::image_unreadable,
         {{"limit_pixels", "100000000"}, {"path", "/pictures/a.png"}, {"size", "11000 x 11000"}},
         "“a.png” has 11000 × 11000 px; the limit for images is 100,000,000 px. Scale the image down first."},
        {ErrorCode::file_unreadable,
         {{"limit_pixels", "35000000"}, {"path", "/videos/a.mp4"}, {"size", "8192 x 8192"}},
         "The frames of “a.mp4” have 8192 × 8192 px; the limit for videos is 35,000,000 px. Scale the video down "
         "first."},
        {ErrorCode::file_unreadable,
         {{"limit_frames", "100000"}, {"path", "/videos/a.mp4"}},
         "“a.mp4” has more than 100,000 frames. Cut the video first."},
        {ErrorCode::file_unreadable,
         {{"cause", "reader_killed"}, {"path", "/videos/a.mp4"}, {"signal", "SIGKILL"}},
         "The process that reads “a.mp4” was killed from outside (SIGKILL), often because the computer ran out of "
         "memory. Try again."},
        {ErrorCode::file_unreadable,
         {{"cause", "reader_stalled"}, {"path", "/videos/a.mp4"}},
         "The process that reads “a.mp4” did not answer for a long time: the computer is very busy, or the drive of "
         "the file does not answer. Try again."},
        {ErrorCode::file_unreadable,
         {{"part", "2"}, {"path", "/jobs/1/part-2/frames.mkv"}},
         "Part 2 of the video is damaged. Continue the job: it makes the part again."},
        {ErrorCode::file_unreadable,
         {{"fault", "frames"}, {"path", "/videos/a.mp4"}},
         "“a.mp4” is damaged: some parts of its frames can't be decoded."},
        {ErrorCode::file_not_found,
         {{"path", "/models/a.safetensors"}},
         "“a.safetensors” was not found. It may have been moved, or its disk may be disconnected."},
        {ErrorCode::checkpoint_truncated,
         {{"path", "/m/a.gguf"}, {"bytes", "6100000000"}, {"expected", "9800000000"}},
         "“a.gguf” has only 5.7 GiB of 9.1 GiB. The download is probably incomplete. Download it again."},
        {ErrorCode::component_missing,
         {{"component", "text_encoder"}, {"path", "/m"}},
         "Text encoder was not found. Put it next to the model or in one of your model folders."},
        {ErrorCode::missing_keys,
         {{"path", "/m/a.safetensors"}, {"missing", "1"}, {"mismatched", "0"}},
         "“a.safetensors” lacks 1 tensor. It probably belongs to another model."},
        {ErrorCode::wrong_shape,
         {{"path", "/m/a.safetensors"}, {"missing", "0"}, {"mismatched", "3"}},
         "“a.safetensors” has 3 tensors with unexpected shapes. It probably belongs to another model."},
        {ErrorCode::wrong_shape,
         {{"path", "/m/a.safetensors"}, {"missing", "0"}, {"mismatched", "3"}, {"unsupported", "3"}},
         "“a.safetensors” is not supported by this version."},
        {ErrorCode::model_unknown,
         {{"path", "/m/a"}, {"families", "Wan, LTX-Video"}},
         "“a” is only a component of a model, or belongs to an unknown family. Supported families: Wan, LTX-Video."},
        {ErrorCode::model_unknown,
         {{"path", "/m/ink.safetensors"}, {"kind", "lora"}},
         "“ink.safetensors” is a LoRA. Add it to the model that it was made for."},
        {ErrorCode::model_unknown,
         {{"path", "/m/x4.pth"}, {"kind", "upscaler"}},
         "“x4.pth” is an upscaler, not a model. Choose it when you finish a video."},
        {ErrorCode::model_unknown,
         {{"path", "/m/rife.pth"}, {"kind", "interpolator"}},
         "“rife.pth” is an interpolator, not a model. Choose it when you finish a video."},
        {ErrorCode::model_unknown,
         {{"path", "/m/taew2_1.pth"}, {"kind", "tiny_decoder"}},
         "“taew2_1.pth” is a tiny decoder for previews and drafts, not a model."},
        {ErrorCode::model_unknown,
         {{"path", "/m/t5.safetensors"}, {"given", "T5EncoderModel"}, {"needed", "UMT5EncoderModel"}},
         "“t5.safetensors” belongs to another model: it contains T5EncoderModel, and this model needs "
         "UMT5EncoderModel."},
        {ErrorCode::bad_config,
         {{"path", "/m/vae"}, {"given", "AutoencoderKLLTXVideo"}, {"needed", "AutoencoderKLWan"}},
         "“vae” belongs to another model: it contains AutoencoderKLLTXVideo, and this model needs AutoencoderKLWan."},
        {ErrorCode::lora_mismatch,
         {{"path", "/m/ink.safetensors"}, {"modules", "480"}},
         "None of the 480 modules of “ink.safetensors” fits this model. It was made for another model or another size "
         "of this model."},
        {ErrorCode::bad_config,
         {{"file", "/m/config.json"}, {"key", "dim"}, {"value", "-1"}},
         "“config.json”: “dim” is -1. The file is damaged, or the model is not supported."},
        {ErrorCode::unsupported,
         {{"component", "transformer"}, {"device", "cuda:0"}},
         "Denoiser: cuda:0 does not support this precision. Set the precision to Auto, or choose another device."},
        {ErrorCode::unsupported,
         {{"job", "3"}},
         "Another instance of Kinescope is running this job, or the job was deleted."},
        {ErrorCode::device_unavailable,
         {{"device", "cuda:9"}},
         "“cuda:9” was not found or is not usable. Choose another device, or Automatic."},
        {ErrorCode::out_of_memory,
         {{"component", "vae"}, {"needed", "14000000000"}},
         "VAE needs at least 13.0 GiB. Increase the memory limit, or use a smaller size or fewer frames."},
        {ErrorCode::out_of_memory,
         {{"component", "transformer"}, {"needed", "14000000000"}, {"device", "cuda:0"}},
         "The GPU ran out of memory. Denoiser needs at least 13.0 GiB of free GPU memory. Close other programs that "
         "use "
         "the GPU, or use a smaller size or fewer frames."},
        {ErrorCode::device_lost,
         {{"error", "CUDA error: an illegal memory access was encountered"}},
         "The driver, the GPU or a computation on it failed, also in a new process. The finished steps are kept. "
         "Update "
         "the driver, check the card's temperature and power supply, then continue the job."},
        {ErrorCode::not_finite,
         {{"step", "9"}, {"site", "blocks.12.attn1"}},
         "Block 12, attention output: invalid values (NaN or infinity). There is no finished video."},
        {ErrorCode::not_finite,
         {{"path", "/m/a.gguf"}, {"phase", "load"}, {"tensor", "proj.weight"}, {"site", "x"}},
         "“a.gguf” contains invalid values (NaN or infinity) in proj.weight. The file is damaged or was converted "
         "incorrectly. Download it again."},
        {ErrorCode::frames_black,
         {{"black", "47"}, {"frames", "49"}},
         "47 of 49 frames are black: decoding failed. Decode in float32."},
        {ErrorCode::frames_black,
         {{"black", "0"}, {"frames", "49"}},
         "All frames are one flat color: decoding failed. Decode in float32."},
        {ErrorCode::frames_black,
         {{"black", "47"}, {"frames", "49"}, {"dtype", "float32"}},
         "47 of 49 frames are black, although they were decoded in float32. A model file is probably damaged: check "
         "the files on the Models page."},
        {ErrorCode::not_finite,
         {{"guard", "observe"},
          {"step", "1"},
          {"site", "transformer.blocks.12.attn1"},
          {"nan", "2"},
          {"inf", "121"},
          {"count", "4096"}},
         "Block 12, attention output: 2 NaN and 121 Inf in 4,096 values. The guard only observed, so all later steps "
         "used these values. No video was saved."},
        {ErrorCode::not_finite,
         {{"guard", "observe"}, {"step", "1"}, {"site", "transformer.blocks.12.attn1"}},
         "Block 12, attention output: invalid values (NaN or infinity). The guard only observed, so all later steps "
         "used these values. No video was saved."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"free_bytes", "180000000"}},
         "“a.mp4” does not fit on the disk (171.7 MiB free). Free some space, or choose another folder."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"cause", "quota"}},
         "Your disk quota is used up, so “a.mp4” cannot be written. Delete files that you no longer need, ask for a "
         "larger quota, or choose another folder."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"limit_bytes", "180000000"}},
         "“a.mp4” is too large: the file size limit is 171.7 MiB (ulimit -f)."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"limit_bytes", "180000000"}, {"computer", "studio"}},
         "“a.mp4” is too large: the file size limit is 171.7 MiB (ulimit -f)."},
        {ErrorCode::output_not_writable,
         {{"path", "/shared/kinescope-1"}, {"storage", "shared"}, {"computer", "cluster"}},
         "“kinescope-1” can't be written on the shared storage of the cluster. Check the permissions there."},
        {ErrorCode::output_not_writable,
         {{"path", "/home/me/inputs"}, {"computer", "studio"}},
         "“inputs” can't be written on “studio”. Check the permissions there."},
        {ErrorCode::file_not_found,
         {{"cause", "results_gone"}},
         "The results of the job are no longer on the other computer. Start the job over."},
        {ErrorCode::file_not_found,
         {{"path", "/home/me/a.png"}, {"computer", "studio"}},
         "“a.png” was not found on “studio”. If it is a model, check Model folders in Preferences > Computers. It may "
         "also have been moved there."},
        {ErrorCode::disk_full,
         {{"path", "/shared/kinescope-1"}, {"storage", "shared"}, {"computer", "cluster"}},
         "The shared storage of the cluster is full. Free some space there, or ask for a larger quota."},
        {ErrorCode::disk_full,
         {{"path", "/home/me/inputs"}, {"computer", "studio"}},
         "The disk of “studio” is full. Free some space there."},
        {ErrorCode::file_not_found,
         {{"path", "/models/wan.gguf"}, {"computer", "studio"}, {"cause", "model_missing"}},
         "“wan.gguf” was not found on “studio”. A model must be in one of the model folders there, or in a folder that "
         "is named under Model folders in Preferences > Computers."},
        {ErrorCode::codec_missing,
         {{"codec", "libx265"}},
         "The encoder “libx265” is not available for this format. Choose another format."},
        {ErrorCode::encode_failed,
         {{"codec", "dnxhd"}},
         "The encoder “dnxhd” failed. Choose another size or another format."},
        {ErrorCode::encode_failed,
         {{"path", "/v/a.mp4"}},
         "“a.mp4” could not be written. Check the disk, or choose another folder."},
    };
    return rows;
}

}  // namespace

class TestFaultWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void requestFaultsAreTranslated_data() {
        QTest::addColumn<int>("row");
        int number = 0;
        for (const FaultRow& row : faultRows()) QTest::newRow(row.name) << number++;
    }

    void requestFaultsAreTranslated() {
        QFETCH(int, row);
        const FaultRow& wanted = faultRows()[static_cast<std::size_t>(row)];
        ModelCard card;
        card.name = "Tiny";
        card.tasks = {Task::text_to_video};
        card.schedulers = {"unipc"};
        VideoRequest request;
        request.prompt = "A red ball";
        wanted.change(request, card);
        const std::vector<Fault> faults = validate(request, card);
        QCOMPARE(faults.size(), std::size_t{1});
        QCOMPARE(faults.front().field, std::string(wanted.field));
        chooseLanguage(QStringLiteral("en"));
        QCOMPARE(faultText(faults.front(), request, card).message, QString::fromUtf8(wanted.message));
        QCOMPARE(faultText(faults.front(), request, card).detail, QString::fromStdString(faults.front().message));
        QVERIFY(fieldName(wanted.field) != QLatin1String(wanted.field));
        chooseLanguage(QStringLiteral("zh_CN"));
        const FaultText text = faultText(faults.front(), request, card);
        QVERIFY2(isChinese(text.message), qPrintable(text.message));
        QVERIFY2(text.fix.isEmpty() || isChinese(text.fix), qPrintable(text.fix));
        QVERIFY2(isChinese(fieldName(wanted.field)), qPrintable(fieldName(wanted.field)));
    }

    void errorsWithValuesAreTranslated_data() {
        QTest::addColumn<int>("row");
        int number = 0;
        for (const ErrorRow& row : errorRows())
            QTest::addRow("%s %s", to_string(row.code).data(), row.facts.begin()->second.c_str()) << number++;
    }

    void errorsWithValuesAreTranslated() {
        QFETCH(int, row);
        const ErrorRow& wanted = errorRows()[static_cast<std::size_t>(row)];
        const Error error(wanted.code, "what happened", "do this", wanted.facts);
        chooseLanguage(QStringLiteral("en"));
        QCOMPARE(errorText(error).sentence, QString::fromUtf8(wanted.sentence));
        chooseLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(isChinese(errorText(error).sentence), qPrintable(errorText(error).sentence));
    }

    void aRefusedRequestIsExplainedWithTheLabelsOfItsFields() {
        chooseLanguage(QStringLiteral("en"));
        const Error error(ErrorCode::bad_request, "mask contains 5 frames, and num_frames is 9", "",
                          {{"num_frames", "5"}});
        QCOMPARE(errorText(error).sentence,
                 QStringLiteral(
                     "Change these settings: Length (use 5). Reason: “Mask contains 5 frames, and Length is 9.”"));
        QCOMPARE(withFieldLabels(QStringLiteral("/a/num_frames.mp4 and num_frames.png: num_frames.")),
                 QStringLiteral("/a/num_frames.mp4 and num_frames.png: Length."));
        ModelCard card;
        QCOMPARE(fieldName("video", card), QStringLiteral("Video to change"));
        card.video_use = VideoUse::control;
        QCOMPARE(fieldName("video", card), QStringLiteral("Control video"));
    }

    void everyErrorIsChineseInAChineseWindow_data() {
        QTest::addColumn<int>("code");
        for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code)
            QTest::newRow(to_string(static_cast<ErrorCode>(code)).data()) << code;
    }

    void everyErrorIsChineseInAChineseWindow() {
        QFETCH(int, code);
        chooseLanguage(QStringLiteral("zh_CN"));
        const ErrorText text = errorText(Error(static_cast<ErrorCode>(code), "what happened to it", "do this then"));
        QVERIFY2(isChinese(text.title), qPrintable(text.title));
        QVERIFY2(isChinese(text.sentence), qPrintable(text.sentence));
        for (const Fix& fix : text.fixes) QVERIFY2(isChinese(fix.label), qPrintable(fix.label));
        QCOMPARE(text.detail, QStringLiteral("What happened to it. Do this then."));
    }
};

QTEST_MAIN(TestFaultWords)
#include "test_fault_words.moc"
