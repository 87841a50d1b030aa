// What is wrong with a request, or went wrong in a run, is said in the window's language: the engine's own English line
// is only for those who look closer.
#include <QtTest>
#include <functional>

#include "tests/support/chinese.h"
#include "ui/models/error_catalogue.h"
#include "ui/models/fault_text.h"
#include "ui/models/field_name.h"
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
        {"no words", "prompt", "Say what to show.", onRequest([](R& r) { r.prompt = " \n"; })},
        {"not UTF-8", "prompt", "Some characters cannot be read: it may be in another encoding.",
         onRequest([](R& r) { r.prompt = "caf\xe9"; })},
        {"long prompt", "prompt", "Too long: it has 20,001 characters.",
         onRequest([](R& r) { r.prompt.assign(20'001, 'a'); })},
        {"long words to avoid", "negative_prompt", "Too long: it has 20,001 characters.",
         onRequest([](R& r) { r.negative_prompt.emplace(20'001, 'a'); })},
        {"picture for words alone", "image", "Tiny makes video from words alone.",
         onRequest([](R& r) { r.image = "a.png"; })},
        {"no picture", "image", "Tiny makes video from a picture: add one.",
         [](R&, ModelCard& card) { card.tasks = {Task::image_to_video}; }},
        {"last without first", "image", "A last frame needs a start image, too.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::text_to_video, Task::first_last_frame_to_video};
             r.last_image = "a.png";
         }},
        {"last frame", "last_image", "Tiny takes no last frame.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::image_to_video};
             r.image = r.last_image = "a.png";
         }},
        {"no last frame", "last_image", "Tiny makes what lies between two pictures: add the last one.",
         [](R& r, ModelCard& card) {
             card.tasks = {Task::first_last_frame_to_video};
             r.image = "a.png";
         }},
        {"odd width", "width", "Must be a multiple of 16.", onRequest([](R& r) { r.width = 50; })},
        {"no height", "height", "Must be 16 to 4,096.", onRequest([](R& r) { r.height = 0; })},
        {"many frames", "num_frames", "Must be 1 to 257.", onRequest([](R& r) { r.num_frames = 1000; })},
        {"frames between", "num_frames", "Must be 4n + 1.", onRequest([](R& r) { r.num_frames = 6; })},
        {"frames of another rule", "num_frames", "Must be a multiple of 4.",
         [](R& r, ModelCard& card) {
             card.num_frames_offset = 0;
             r.num_frames = 6;
         }},
        {"frame rate", "fps", "Must be 1 to 120.", onRequest([](R& r) { r.fps = 0; })},
        {"steps", "num_inference_steps", "Must be 1 to 1,000.", onRequest([](R& r) { r.num_inference_steps = 0; })},
        {"guidance", "guidance_scale", "Must be 0 to 100.", onRequest([](R& r) { r.guidance_scale = -1; })},
        {"second guidance", "guidance_scale_2", "This model does not know it.",
         onRequest([](R& r) { r.guidance_scale_2 = 3; })},
        {"dynamic guidance", "use_dynamic_cfg", "This model does not know it.",
         onRequest([](R& r) { r.use_dynamic_cfg = true; })},
        {"guided from", "guidance_start", "Must be 0 to 1.", onRequest([](R& r) { r.guidance_start = -1; })},
        {"guided until", "guidance_stop", "Must be 0 to 1.", onRequest([](R& r) { r.guidance_stop = 2; })},
        {"guided backwards", "guidance_stop", "Must not end before it begins.", onRequest([](R& r) {
             r.guidance_start = 0.5;
             r.guidance_stop = 0.2;
         })},
        {"step cache", "step_cache", "Must be 0 to 1.", onRequest([](R& r) { r.step_cache = 1.5; })},
        {"flow shift", "flow_shift", "Must be 0.01 to 100.", onRequest([](R& r) { r.flow_shift = 0; })},
        {"scheduler", "scheduler", "It does not fit this model.", onRequest([](R& r) { r.scheduler = "ddim"; })},
        {"no scheduler", "scheduler", "The one that the model names cannot be used here: choose another.",
         [](R&, ModelCard& card) { card.scheduler_fault = "the scheduler is odd"; }},
        {"seed", "seed", "Must be 0 or more.", onRequest([](R& r) { r.seed = -1; })},
        {"tokens", "max_sequence_length", "Must be 1 to 512.", onRequest([](R& r) { r.max_sequence_length = 900; })},
        {"field of another family", "motion_bucket_id", "This model does not know it.",
         onRequest([](R& r) { r.motion_bucket_id = 1; })},
        {"field of the family", "motion_bucket_id", "Must be 0 to 255.",
         [](R& r, ModelCard& card) {
             card.extra_fields = {{"motion_bucket_id", 127, 0, 255}};
             r.motion_bucket_id = 300;
         }},
        {"device", "device", "This device is not known.", onRequest([](R& r) { r.device = "abacus"; })},
        {"precision", "dtype", "This precision is not known.", onRequest([](R& r) { r.dtype = "int3"; })},
        {"storage", "storage", "This precision is not known.", onRequest([](R& r) { r.storage = "int3"; })},
        {"text encoder", "text_encoder_dtype", "This precision is not known.",
         onRequest([](R& r) { r.text_encoder_dtype = "int3"; })},
        {"VAE", "vae_dtype", "This precision is not known.", onRequest([](R& r) { r.vae_dtype = "int3"; })},
        {"tiles", "vae_tiling", "This model does not know it.", onRequest([](R& r) { r.vae_tiling = true; })},
        {"memory", "max_memory", "Must be more than 0.", onRequest([](R& r) { r.max_memory_bytes = 0; })},
        {"threads", "threads", "Must be 1 to 1,024.", onRequest([](R& r) { r.threads = 0; })},
        {"one picture", "output", "A .png file holds one picture: make the video one frame long.",
         onRequest([](R& r) { r.output.file = "a.png"; })},
        {"odd ending", "output", "The file's ending is of no kind of video that can be written.",
         onRequest([](R& r) { r.output.file = "a.doc"; })},
        {"quality", "crf", "Must be 0 to 63.", onRequest([](R& r) { r.output.crf = 90; })},
        {"same file", "numeric_log", "Two results would have the same file.",
         onRequest([](R& r) { r.output.numeric_log = r.output.file = "a.mp4"; })},
    };
    return rows;
}

struct ErrorRow {
    ErrorCode code;
    std::map<std::string, std::string> facts;
    const char* sentence;
};

/// Every sentence that values make.
const std::vector<ErrorRow>& errorRows() {
    static const std::vector<ErrorRow> rows{
        {ErrorCode::bad_request,
         {{"width", "48"}, {"seed", ""}},
         "Cannot be done like this: Seed, Width (48 would do)."},
        {ErrorCode::bad_request,
         {{"size", "33 x 32"}},
         "A video of 33 x 32 px cannot be written in this format: use an even width and height, or PNG frames."},
        {ErrorCode::bad_request,
         {{"job", "3"}},
         "The queue has gone on meanwhile: this job cannot be changed any more."},
        {ErrorCode::bad_request,
         {{"codec", "ffv1"}},
         "This format has no such setting of quality: leave it at its own."},
        {ErrorCode::file_not_found,
         {{"path", "/models/a.safetensors"}},
         "“a.safetensors” is not there. Was it moved, or is its disk not connected?"},
        {ErrorCode::checkpoint_truncated,
         {{"path", "/m/a.gguf"}, {"bytes", "6100000000"}, {"expected", "9800000000"}},
         "“a.gguf”: 6.1 GB of 9.8 GB are there, probably an unfinished download. Fetch it again."},
        {ErrorCode::component_missing,
         {{"component", "text_encoder"}, {"path", "/m"}},
         "Text encoder is not there. Put it beside the model, or into a folder of your models."},
        {ErrorCode::missing_keys,
         {{"path", "/m/a.safetensors"}, {"missing", "1"}, {"mismatched", "0"}},
         "“a.safetensors” lacks 1 tensor: it is probably of another model."},
        {ErrorCode::wrong_shape,
         {{"path", "/m/a.safetensors"}, {"missing", "0"}, {"mismatched", "3"}},
         "“a.safetensors” has 3 tensors of another shape: it is probably of another model."},
        {ErrorCode::bad_config,
         {{"file", "/m/config.json"}, {"key", "dim"}, {"value", "-1"}},
         "“config.json”: “dim” is -1. The file is damaged, or of a model that is not supported."},
        {ErrorCode::unsupported,
         {{"component", "transformer"}, {"device", "cuda:0"}},
         "Denoiser: this precision cannot be computed on cuda:0. Leave the precision to Kinescope, or choose another "
         "device."},
        {ErrorCode::unsupported, {{"job", "3"}}, "Another Kinescope works on this job, or it is gone."},
        {ErrorCode::device_unavailable,
         {{"device", "cuda:9"}},
         "“cuda:9” is not there, or cannot compute. Choose another device, or Automatic."},
        {ErrorCode::out_of_memory,
         {{"component", "vae"}, {"needed", "14000000000"}},
         "VAE needs 14.0 GB at least. Allow more memory, or ask for a smaller size or fewer frames."},
        {ErrorCode::not_finite,
         {{"step", "9"}, {"site", "blocks.12.attn1"}},
         "Block 12, attention output is not a number. No video was marked as finished."},
        {ErrorCode::not_finite,
         {{"path", "/m/a.gguf"}, {"phase", "load"}, {"tensor", "proj.weight"}, {"site", "x"}},
         "“a.gguf” holds numbers that are none (proj.weight): it is damaged, or was converted wrongly. Fetch it "
         "again."},
        {ErrorCode::frames_black,
         {{"black", "47"}, {"frames", "49"}},
         "47 of 49 frames are black: decoding failed. Decode in float32."},
        {ErrorCode::frames_black,
         {{"black", "0"}, {"frames", "49"}},
         "Every frame is one flat colour: decoding failed. Decode in float32."},
        {ErrorCode::frames_black,
         {{"black", "47"}, {"frames", "49"}, {"dtype", "float32"}},
         "47 of 49 frames are black, although decoding is in float32. A model file is probably damaged: check them "
         "under Models."},
        {ErrorCode::not_finite,
         {{"guard", "observe"},
          {"step", "1"},
          {"site", "transformer.blocks.12.attn1"},
          {"nan", "2"},
          {"inf", "121"},
          {"count", "4096"}},
         "Block 12, attention output: 2 NaN and 121 Inf of 4,096 values. The guard only observed, so every later step "
         "computed with them, and no video was saved."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"free_bytes", "180000000"}},
         "“a.mp4” does not fit: 180.0 MB are free. Free some space, or choose another folder."},
        {ErrorCode::disk_full,
         {{"path", "/v/a.mp4"}, {"limit_bytes", "180000000"}},
         "“a.mp4” is too large: files of this process are limited to 180.0 MB (ulimit -f)."},
        {ErrorCode::codec_missing,
         {{"codec", "libx265"}},
         "There is no encoder “libx265” here for this kind of file. Choose another format."},
        {ErrorCode::encode_failed,
         {{"codec", "dnxhd"}},
         "The encoder “dnxhd” failed. Choose another size or another format."},
        {ErrorCode::encode_failed,
         {{"path", "/v/a.mp4"}},
         "“a.mp4” could not be written. Check the disk, or choose another one."},
    };
    return rows;
}

}  // namespace

class TestFaultWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void faultsOfARequest_data() {
        QTest::addColumn<int>("row");
        int number = 0;
        for (const FaultRow& row : faultRows()) QTest::newRow(row.name) << number++;
    }

    void faultsOfARequest() {
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
        QVERIFY2(text.cure.isEmpty() || isChinese(text.cure), qPrintable(text.cure));
        QVERIFY2(isChinese(fieldName(wanted.field)), qPrintable(fieldName(wanted.field)));
    }

    void errorsWithValues_data() {
        QTest::addColumn<int>("row");
        int number = 0;
        for (const ErrorRow& row : errorRows())
            QTest::addRow("%s %s", to_string(row.code).data(), row.facts.begin()->second.c_str()) << number++;
    }

    void errorsWithValues() {
        QFETCH(int, row);
        const ErrorRow& wanted = errorRows()[static_cast<std::size_t>(row)];
        const Error error(wanted.code, "what happened", "do this", wanted.facts);
        chooseLanguage(QStringLiteral("en"));
        QCOMPARE(errorText(error).sentence, QString::fromUtf8(wanted.sentence));
        chooseLanguage(QStringLiteral("zh_CN"));
        QVERIFY2(isChinese(errorText(error).sentence), qPrintable(errorText(error).sentence));
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
        for (const Cure& cure : text.cures) QVERIFY2(isChinese(cure.label), qPrintable(cure.label));
        QCOMPARE(text.detail, QStringLiteral("What happened to it. Do this then."));
    }
};

QTEST_MAIN(TestFaultWords)
#include "test_fault_words.moc"
