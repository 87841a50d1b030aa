// Causes every error with a real fault and checks its text in both languages. Three codes can't occur: `cancelled` is
// the result of Stop and no error; `bad_usage` concerns command lines; `internal` is for unforeseen faults, so a file
// that causes it reveals a bug.
#include <QLabel>
#include <QPushButton>
#include <QTextEdit>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>

#include "tests/app/broken_models.h"
#include "tests/support/children.h"
#include "tests/support/chinese.h"
#include "tests/support/small_disk.h"
#include "tests/ui/scenarios/real_window.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/notice_strip.h"

using namespace kinescope;
using kinescope::testing::RealWindow;
using kinescope::testing::SmallDisk;
namespace fs = std::filesystem;

namespace {

const fs::path kTinyModel = fs::path(KINESCOPE_TEST_DATA) / "wan_t2v/model";
const fs::path kImageModel = fs::path(KINESCOPE_TEST_DATA) / "svd/model";
const fs::path kLoraOfLtx = fs::path(KINESCOPE_TEST_DATA) / "loras/ltx_peft.safetensors";
constexpr rlim_t kSmallDiskBytes = 8192;
/// The magic number of legacy torch.save files.
const std::string kOldPickle = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";

void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

fs::path copyOfModel(const fs::path& folder) {
    fs::create_directories(folder);
    fs::copy(kTinyModel, folder / "model", fs::copy_options::recursive);
    return folder / "model";
}

/// Sets a value of the denoiser's last tensor to NaN.
void spoilWeights(const fs::path& model) {
    const fs::path file = kinescope::testing::transformer_weights(model);
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-4096, std::ios::end);
    stream << std::string(4096, '\xff');
}

/// Makes the VAE decode black frames from any latents.
void blacken(const fs::path& model) {
    const fs::path file = model / "vae/diffusion_pytorch_model.safetensors";
    kinescope::testing::fill_tensor(file, "decoder.conv_out.weight", 0);
    kinescope::testing::fill_tensor(file, "decoder.conv_out.bias", -2);
}

void putFolderInPlaceOf(const fs::path& file) {
    fs::remove(file);
    fs::create_directory(file);
}

/// Returns all texts about errors that the window shows.
QString said(RealWindow& real) {
    QStringList words;
    for (const char* name : {"errorTitleLabel", "generateAdviceLabel"})
        if (auto* label = real.find<QLabel>(name); label && label->isVisible()) words << label->text();
    if (auto* sentence = real.find<QTextEdit>("errorSentenceText"); sentence && sentence->isVisible())
        words << sentence->toPlainText();
    if (auto* strip = real.find<ui::NoticeStrip>("noticeStrip"); strip->isVisible()) words << strip->accessibleName();
    return words.join(QLatin1Char('\n'));
}

/// Causes the fault. Returns an object that must outlive the check.
using Fault = std::function<std::unique_ptr<SmallDisk>(RealWindow& real, const fs::path& folder)>;

std::unique_ptr<SmallDisk> open(RealWindow& real, const fs::path& file) {
    real.window->open(QString::fromStdString(file.string()));
    return nullptr;
}

std::unique_ptr<SmallDisk> start(RealWindow& real, const VideoRequest& request) {
    real.window->run().expect(request, nullptr);
    real.bridge->submit(request);
    return nullptr;
}

VideoRequest tinyRequest(const fs::path& model, const fs::path& folder) {
    VideoRequest request;
    request.model = model.string();
    request.prompt = "a";
    request.num_inference_steps = 1;
    request.width = 48;
    request.height = 32;
    request.num_frames = 5;
    request.output.file = folder / "videos/a.mp4";
    return request;
}

/// Generates a video with a modified copy of the tiny model.
Fault onModel(const std::function<void(const fs::path& model)>& spoil) {
    return [spoil](RealWindow& real, const fs::path& folder) {
        const fs::path model = copyOfModel(folder);
        spoil(model);
        real.window->request().chooseModel(model.string());
        return start(real, tinyRequest(model, folder));
    };
}

/// Modifies the denoiser's file during the run, as another program could.
Fault changedModel() {
    return [](RealWindow& real, const fs::path& folder) {
        const fs::path model = copyOfModel(folder);
        VideoRequest request = tinyRequest(model, folder);
        request.num_inference_steps = 500;
        start(real, request);
        const bool denoises =
            QTest::qWaitFor([&] { return real.window->run().state() == ui::RunState::denoising; }, 20'000);
        if (denoises)
            fs::last_write_time(kinescope::testing::transformer_weights(model), fs::file_time_type::clock::now());
        return std::unique_ptr<SmallDisk>();
    };
}

/// Submits a request with one change.
Fault onRequest(const std::function<void(VideoRequest& request, const fs::path& folder)>& change) {
    return [change](RealWindow& real, const fs::path& folder) {
        VideoRequest request;
        request.prompt = "A red ball";
        request.num_inference_steps = 1;
        request.output.file = folder / "videos/a.mp4";
        fs::create_directories(folder / "videos");
        change(request, folder);
        return start(real, request);
    };
}

/// Fills the disk before the video is complete.
Fault fullDisk() {
    return [](RealWindow& real, const fs::path& folder) {
        auto disk = std::make_unique<SmallDisk>(kSmallDiskBytes, kinescope::testing::newest_child());
        onRequest([](VideoRequest& request, const fs::path&) { request.output.crf = 0; })(real, folder);
        return disk;
    };
}

Fault brokenModel(const char* fault) {
    return [fault](RealWindow& real, const fs::path& folder) {
        kinescope::testing::make_broken_model(kTinyModel, folder / "model", fault);
        VideoRequest request;
        request.model = (folder / "model").string();
        request.prompt = "a";
        request.num_inference_steps = 1;
        request.output.file = folder / "videos/a.mp4";
        return start(real, request);
    };
}

/// Ends the engine twice in the same run.
Fault killedEngine() {
    return [](RealWindow& real, const fs::path& folder) {
        onRequest([](VideoRequest& request, const fs::path&) { request.num_inference_steps = 500; })(real, folder);
        for (int kill = 1; kill <= 2; ++kill) {
            const auto steps = real.window->run().facts().progress.stepSeconds.size();
            const bool goesOn =
                QTest::qWaitFor([&] { return real.window->run().facts().progress.stepSeconds.size() > steps; }, 20'000);
            if (goesOn) ::kill(kinescope::testing::newest_child(), SIGKILL);
        }
        return std::unique_ptr<SmallDisk>();
    };
}

struct Row {
    ErrorCode code;
    Fault fault;
};

std::vector<Row> rows() {
    return {
        {ErrorCode::bad_request, onRequest([](VideoRequest& request, const fs::path&) { request.width = 50; })},
        {ErrorCode::file_not_found,
         [](RealWindow& real, const fs::path& folder) { return open(real, folder / "nothing.safetensors"); }},
        {ErrorCode::file_unreadable,
         onModel([](const fs::path& model) { putFolderInPlaceOf(model / "transformer/config.json"); })},
        {ErrorCode::checkpoint_truncated, brokenModel("truncated")},
        {ErrorCode::missing_keys, brokenModel("missing_tensor")},
        {ErrorCode::wrong_shape, brokenModel("wrong_shape")},
        {ErrorCode::checkpoint_corrupt, onModel([](const fs::path& model) {
             write(kinescope::testing::transformer_weights(model), std::string(64, 'x'));
         })},
        {ErrorCode::file_changed, changedModel()},
        {ErrorCode::component_missing, onModel([](const fs::path& model) { fs::remove_all(model / "vae"); })},
        {ErrorCode::bad_config, onModel([](const fs::path& model) { write(model / "transformer/config.json", "{"); })},
        {ErrorCode::tokenizer_invalid,
         onModel([](const fs::path& model) { write(model / "tokenizer/spiece.model", "no tokenizer"); })},
        {ErrorCode::model_unknown,
         [](RealWindow& real, const fs::path& folder) {
             write(folder / "odd/model_index.json", R"({"_class_name": "NobodyKnowsPipeline"})");
             return open(real, folder / "odd");
         }},
        {ErrorCode::lora_mismatch,
         onRequest([](VideoRequest& request, const fs::path&) { request.loras = {{.path = kLoraOfLtx, .scale = 1}}; })},
        {ErrorCode::unsupported,
         onModel([](const fs::path& model) { write(kinescope::testing::transformer_weights(model), kOldPickle); })},
        {ErrorCode::out_of_memory,
         onRequest([](VideoRequest& request, const fs::path&) { request.max_memory_bytes = 1000; })},
        {ErrorCode::device_unavailable,
         onRequest([](VideoRequest& request, const fs::path&) { request.device = "cuda:99"; })},
        {ErrorCode::not_finite, onModel(spoilWeights)},
        {ErrorCode::frames_black, onModel(blacken)},
        {ErrorCode::image_unreadable, onRequest([](VideoRequest& request, const fs::path& folder) {
             request.model = kImageModel.string();
             request.image = folder / "picture.png";
             write(*request.image, "no picture");
         })},
        {ErrorCode::output_exists,
         onRequest([](VideoRequest& request, const fs::path&) { write(request.output.file, "precious"); })},
        {ErrorCode::output_not_writable,
         onRequest([](VideoRequest& request, const fs::path&) { request.output.file = "/proc/a.mp4"; })},
        {ErrorCode::codec_missing,
         onRequest([](VideoRequest& request, const fs::path&) { request.output.codec = "no_such_codec"; })},
        {ErrorCode::disk_full, fullDisk()},
        {ErrorCode::encode_failed, onRequest([](VideoRequest& request, const fs::path& folder) {
             request.output.codec = "dnxhd";  // supports only TV frame sizes
             request.output.file = folder / "videos/a.mov";
         })},
        {ErrorCode::no_settings,
         [](RealWindow& real, const fs::path& folder) {
             write(folder / "foreign.mp4", "not a video of ours");
             return open(real, folder / "foreign.mp4");
         }},
        {ErrorCode::engine_lost, killedEngine()},
    };
}

}  // namespace

class TestRealErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyErrorIsCovered() {
        // A CPU cannot be lost: see simulated_gpu.test_faults.
        const std::vector<ErrorCode> outOfReach{ErrorCode::cancelled, ErrorCode::bad_usage, ErrorCode::internal,
                                                ErrorCode::device_lost};
        const std::vector<Row> reached = rows();
        for (int number = 0; number <= static_cast<int>(ErrorCode::internal); ++number) {
            const auto code = static_cast<ErrorCode>(number);
            const auto count =
                std::count_if(reached.begin(), reached.end(), [code](const Row& row) { return row.code == code; }) +
                std::count(outOfReach.begin(), outOfReach.end(), code);
            QVERIFY2(count == 1, to_string(code).data());
        }
    }

    void errorsAreShownInBothLanguages_data() {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"}) {
            int number = 0;
            for (const Row& row : rows())
                QTest::addRow("%s %s", to_string(row.code).data(), language) << number++ << QString(language);
        }
    }

    void errorsAreShownInBothLanguages() {
        QFETCH(int, row);
        QFETCH(QString, language);
        const Row fault = rows()[static_cast<std::size_t>(row)];
        const QTemporaryDir folder;
        RealWindow real(folder.path(), language);
        QVERIFY(real.isReady());
        const auto lasting = fault.fault(real, folder.path().toStdString());
        const QString title = ui::errorText(Error(fault.code, "m", "h")).title;
        const bool found = QTest::qWaitFor([&] { return said(real).contains(title); }, 20'000);
        QVERIFY2(found, qPrintable(QStringLiteral("wanted '%1', said '%2'").arg(title, said(real))));
        if (language == QLatin1String("en")) return;
        for (const QString& line : said(real).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            QVERIFY2(kinescope::testing::isChinese(line), qPrintable(line));
    }
};

QTEST_MAIN(TestRealErrors)
#include "test_real_errors.moc"
