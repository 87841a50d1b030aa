#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/api/video_request.h"

using namespace kinescope;

namespace {

bool is_refused(const std::string& loras) {
    try {
        parse_request(R"({"loras": )" + loras + "}");
    } catch (const Error& error) {
        return error.code() == ErrorCode::bad_request && error.message().find("loras") != std::string::npos;
    }
    return false;
}

}  // namespace

class TestLoraRequests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void loras_keep_their_order() {
        const auto request =
            parse_request(R"({"loras": [{"path": "/x/b.safetensors", "scale": -0.5}, {"path": "/x/a.safetensors"}]})");
        QCOMPARE(request.loras.size(), std::size_t{2});
        QVERIFY((request.loras[0] == LoraRequest{"/x/b.safetensors", -0.5}));
        QVERIFY((request.loras[1] == LoraRequest{"/x/a.safetensors", 1.0}));
    }

    /// A name without a folder that does not exist beside the request is looked up in the folders of models.
    void loras_are_relative_to_the_request() {
        const QTemporaryDir dir;
        const std::filesystem::path base = dir.path().toStdString();
        std::ofstream(base / "beside.safetensors").put('x');
        const auto request = parse_request(
            R"({"loras": [{"path": "beside.safetensors"}, {"path": "named.safetensors"}, {"path": "sub/c.safetensors"}]})",
            base);
        QCOMPARE(request.loras[0].path, base / "beside.safetensors");
        QCOMPARE(request.loras[1].path, std::filesystem::path("named.safetensors"));
        QCOMPARE(request.loras[2].path, base / "sub/c.safetensors");
    }

    void loras_round_trip() {
        VideoRequest request;
        request.loras = {{"/x/b.safetensors", 0.25}, {"/x/a.safetensors", 1.0}};
        QVERIFY(parse_request(to_json(request)).loras == request.loras);
        QVERIFY(to_json(VideoRequest{}).find("loras") == std::string::npos);
    }

    void invalid_lora_lists_are_refused() {
        for (const char* loras :
             {R"("a.safetensors")", R"(["a.safetensors"])", R"([{"scale": 1}])", R"([{"path": ""}])",
              R"([{"path": "a", "scale": "1"}])", R"([{"path": "a", "scale": 1000}])"})
            QVERIFY2(is_refused(loras), loras);
    }
};

QTEST_APPLESS_MAIN(TestLoraRequests)
#include "test_lora_requests.moc"
