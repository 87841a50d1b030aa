#include <QTest>

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
            parse_request(R"({"loras": [{"path": "b.safetensors", "scale": -0.5}, {"path": "a.safetensors"}]})", "/x");
        QCOMPARE(request.loras.size(), std::size_t{2});
        QVERIFY((request.loras[0] == LoraRequest{"/x/b.safetensors", -0.5}));
        QVERIFY((request.loras[1] == LoraRequest{"/x/a.safetensors", 1.0}));
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
