#include <QTest>

#include "core/jobs/idle_wishes.h"

using namespace kinescope;

namespace {

VideoJob job_with(const VideoRequest& request, const char* stored = "float32", const char* storage = "float32",
                  const char* device = "cpu") {
    VideoJob job;
    job.request = request;
    job.policy_summary = {{.component = "vae", .stored = "float32", .storage = "float32", .device = device},
                          {.component = "transformer", .stored = stored, .storage = storage, .device = device}};
    return job;
}

}  // namespace

class TestIdleWishes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_plain_request_has_none() { QVERIFY(idle_wishes(job_with({})).empty()); }

    void an_interval_without_guidance() {
        VideoRequest request;
        request.guidance_scale = 1;
        request.guidance_stop = 0.6;
        QCOMPARE(idle_wishes(job_with(request)).size(), std::size_t{1});
        QVERIFY(idle_wishes(job_with(request)).front().find("change nothing") != std::string::npos);
        request.guidance_scale = 3;
        QVERIFY(idle_wishes(job_with(request)).empty());
        request.guidance_scale = 1;
        request.guidance_scale_2 = 3;
        QVERIFY(idle_wishes(job_with(request)).empty());
        request.guidance_scale_2.reset();
        request.guidance_stop = 1;
        QVERIFY(idle_wishes(job_with(request)).empty());
    }

    void blocks_of_gguf_that_are_not_there() {
        VideoRequest request;
        request.storage = "gguf";
        const auto notes = idle_wishes(job_with(request, "bfloat16"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("holds bfloat16") != std::string::npos);
        QVERIFY(notes.front().ends_with("in memory it is float32"));
        QVERIFY(idle_wishes(job_with(request, "gguf q4_k", "gguf q4_k")).empty());
    }

    void int8_that_nothing_multiplies() {
        VideoRequest request;
        request.storage = "int8";
        const auto notes = idle_wishes(job_with(request, "float32", "int8", "cuda:0"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("storage only on cuda:0") != std::string::npos);
        QVERIFY(idle_wishes(job_with(request, "float32", "int8")).empty());
    }
};

QTEST_GUILESS_MAIN(TestIdleWishes)
#include "test_idle_wishes.moc"
