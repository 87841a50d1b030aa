#include <QTest>

#include "core/jobs/plan/ineffective_options.h"

using namespace kinescope;

namespace {

VideoJob job_with(const ResolvedRequest& request, const char* stored = "float32", const char* storage = "float32",
                  const char* device = "cpu") {
    VideoJob job;
    job.request = request;
    job.policy_summary = {{.component = "vae", .stored = "float32", .storage = "float32", .device = device},
                          {.component = "transformer", .stored = stored, .storage = storage, .device = device}};
    return job;
}

}  // namespace

class TestIneffectiveOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_plain_request_has_none() { QVERIFY(ineffective_options(job_with({})).empty()); }

    void an_interval_without_guidance() {
        ResolvedRequest request;
        request.sampling.guidance_scale = 1;
        request.sampling.guidance_stop = 0.6;
        QCOMPARE(ineffective_options(job_with(request)).size(), std::size_t{1});
        QVERIFY(ineffective_options(job_with(request)).front().find("have no effect") != std::string::npos);
        request.sampling.guidance_scale = 3;
        QVERIFY(ineffective_options(job_with(request)).empty());
        request.sampling.guidance_scale = 1;
        request.sampling.guidance_scale_2 = 3;
        QVERIFY(ineffective_options(job_with(request)).empty());
        request.sampling.guidance_scale_2 = 1;
        request.sampling.guidance_stop = 1;
        QVERIFY(ineffective_options(job_with(request)).empty());
    }

    void blocks_of_gguf_that_are_not_there() {
        ResolvedRequest request;
        request.compute.storage = "gguf";
        const auto notes = ineffective_options(job_with(request, "bfloat16"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("holds bfloat16") != std::string::npos);
        QVERIFY(notes.front().ends_with("in memory it is float32"));
        QVERIFY(ineffective_options(job_with(request, "gguf q4_k", "gguf q4_k")).empty());
    }

    void int8_that_nothing_multiplies() {
        ResolvedRequest request;
        request.compute.storage = "int8";
        const auto notes = ineffective_options(job_with(request, "float32", "int8", "cuda:0"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("saves only memory on cuda:0") != std::string::npos);
        QVERIFY(ineffective_options(job_with(request, "float32", "int8")).empty());
    }
};

QTEST_GUILESS_MAIN(TestIneffectiveOptions)
#include "test_ineffective_options.moc"
