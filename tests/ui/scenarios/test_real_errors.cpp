// Every error that the window knows by a title, brought about by a real fault where a fault can be made.
#include <QLabel>
#include <QPushButton>
#include <QtTest>
#include <fstream>
#include <functional>

#include "tests/app/broken_models.h"
#include "tests/ui/scenarios/real_window.h"
#include "ui/models/error_catalogue.h"
#include "ui/widgets/notice_strip.h"

using namespace kinescope;
using kinescope::testing::RealWindow;
namespace fs = std::filesystem;

namespace {

const fs::path kTinyModel = fs::path(KINESCOPE_TEST_DATA) / "wan_t2v/model";

void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

fs::path copyOfModel(const fs::path& folder) {
    fs::create_directories(folder);
    fs::copy(kTinyModel, folder / "model", fs::copy_options::recursive);
    return folder / "model";
}

/// The last tensor of the denoiser is not a number any more.
void spoilWeights(const fs::path& model) {
    const fs::path file = kinescope::testing::transformer_weights(model);
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-4096, std::ios::end);
    stream << std::string(4096, '\xff');
}

/// What the window says of faults, wherever it says it.
QString said(RealWindow& real) {
    QStringList words;
    for (const char* name : {"errorTitleLabel", "generateAdviceLabel"})
        if (auto* label = real.find<QLabel>(name); label && label->isVisible()) words << label->text();
    if (auto* strip = real.find<ui::NoticeStrip>("noticeStrip"); strip->isVisible()) words << strip->accessibleName();
    return words.join(QLatin1Char('\n'));
}

using Fault = std::function<void(RealWindow& real, const fs::path& folder)>;

/// The tiny model with something done to it, chosen and set to work.
Fault onModel(const std::function<void(const fs::path& model)>& spoil) {
    return [spoil](RealWindow& real, const fs::path& folder) {
        const fs::path model = copyOfModel(folder);
        spoil(model);
        real.window->request().chooseModel(model.string());
        VideoRequest request;
        request.model = model.string();
        request.prompt = "a";
        request.num_inference_steps = 1;
        request.output.file = folder / "videos/a.mp4";
        real.window->run().start(request, nullptr);
    };
}

/// A request that goes to the engine as it is.
Fault onRequest(const std::function<void(VideoRequest& request, const fs::path& folder)>& change) {
    return [change](RealWindow& real, const fs::path& folder) {
        VideoRequest request;
        request.prompt = "A red ball";
        request.num_inference_steps = 1;
        request.output.file = folder / "videos/a.mp4";
        fs::create_directories(folder / "videos");
        change(request, folder);
        real.window->run().start(request, nullptr);
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
        real.window->run().start(request, nullptr);
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
         [](RealWindow& real, const fs::path& folder) {
             real.window->open(QString::fromStdString((folder / "nothing.safetensors").string()));
         }},
        {ErrorCode::checkpoint_truncated, brokenModel("truncated")},
        {ErrorCode::missing_keys, brokenModel("missing_tensor")},
        {ErrorCode::wrong_shape, brokenModel("wrong_shape")},
        {ErrorCode::checkpoint_corrupt, onModel([](const fs::path& model) {
             write(kinescope::testing::transformer_weights(model), std::string(64, 'x'));
         })},
        {ErrorCode::component_missing, onModel([](const fs::path& model) { fs::remove_all(model / "vae"); })},
        {ErrorCode::bad_config, onModel([](const fs::path& model) { write(model / "transformer/config.json", "{"); })},
        {ErrorCode::tokenizer_invalid,
         onModel([](const fs::path& model) { write(model / "tokenizer/spiece.model", "no tokenizer"); })},
        {ErrorCode::model_unknown,
         [](RealWindow& real, const fs::path& folder) {
             write(folder / "odd/model_index.json", R"({"_class_name": "NobodyKnowsPipeline"})");
             real.window->open(QString::fromStdString((folder / "odd").string()));
         }},
        {ErrorCode::device_unavailable,
         onRequest([](VideoRequest& request, const fs::path&) { request.device = "cuda:99"; })},
        {ErrorCode::not_finite, onModel(spoilWeights)},
        {ErrorCode::output_exists,
         onRequest([](VideoRequest& request, const fs::path&) { write(request.output.file, "precious"); })},
        {ErrorCode::output_not_writable,
         onRequest([](VideoRequest& request, const fs::path&) { request.output.file = "/proc/a.mp4"; })},
        {ErrorCode::codec_missing,
         onRequest([](VideoRequest& request, const fs::path&) { request.output.codec = "no_such_codec"; })},
        {ErrorCode::no_settings,
         [](RealWindow& real, const fs::path& folder) {
             write(folder / "foreign.mp4", "not a video of ours");
             real.window->open(QString::fromStdString((folder / "foreign.mp4").string()));
         }},
    };
}

}  // namespace

class TestRealErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areSaidInTheWindow_data() {
        QTest::addColumn<int>("row");
        int number = 0;
        for (const Row& row : rows()) QTest::newRow(to_string(row.code).data()) << number++;
    }

    void areSaidInTheWindow() {
        QFETCH(int, row);
        const Row fault = rows()[static_cast<std::size_t>(row)];
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        fault.fault(real, folder.path().toStdString());
        const QString title = ui::errorText(Error(fault.code, "m", "h")).title;
        const bool found = QTest::qWaitFor([&] { return said(real).contains(title); }, 20'000);
        QVERIFY2(found, qPrintable(QStringLiteral("wanted '%1', said '%2'").arg(title, said(real))));
    }
};

QTEST_MAIN(TestRealErrors)
#include "test_real_errors.moc"
