#include <QTest>
#include <algorithm>

#include "core/jobs/plan/ineffective_options.h"

using namespace kinescope;

namespace {

PreparedRun job_with(const ResolvedRequest& request, const char* stored = "float32", const char* storage = "float32",
                     const char* device = "cpu") {
    PreparedRun job;
    job.request = request;
    job.policy_summary = {{.component = "vae", .stored = "float32", .storage = "float32", .device = device},
                          {.component = "transformer", .stored = stored, .storage = storage, .device = device}};
    return job;
}

}  // namespace

class TestIneffectiveOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_default_request_has_no_ineffective_options() { QVERIFY(ineffective_options(job_with({})).empty()); }

    void settings_that_the_model_does_not_have_are_noted() {
        ResolvedRequest request;
        request.content.prompt = "a ball";
        request.content.negative_prompt = "blur";
        request.sampling.guidance_scale = 4;
        request.sampling.flow_shift = 5;
        PreparedRun job = job_with(request);
        QVERIFY(ineffective_options(job).empty());
        job.card.takes_prompt = false;
        job.card.default_flow_shift.reset();
        job.card.extra_fields = {{"max_guidance_scale", 3.0, 0.0, 100.0}};
        const auto notes = ineffective_options(job);
        QCOMPARE(notes.size(), std::size_t{4});
        for (const char* name : {"the prompt", "the negative prompt", "guidance_scale", "flow_shift"})
            QVERIFY2(std::ranges::any_of(notes, [&](const auto& note) { return note.starts_with(name); }), name);
        job.request.content = {};
        job.request.sampling = {.guidance_scale = job.card.default_guidance_scale};
        QVERIFY(ineffective_options(job).empty());
    }

    /// They may come from the settings of a video.
    void encoder_and_quality_of_png_files_are_noted() {
        ResolvedRequest request;
        request.output.file = "clip.mp4";
        request.output.codec = "libx264";
        request.output.crf = 20;
        QVERIFY(ineffective_options(job_with(request)).empty());
        request.output.file = "frames";
        const auto notes = ineffective_options(job_with(request));
        QCOMPARE(notes.size(), std::size_t{2});
        QVERIFY(notes[0].starts_with("codec has no effect") && notes[1].starts_with("crf has no effect"));
        request.output.crf = kDefaultCrf;
        request.output.codec.clear();
        QVERIFY(ineffective_options(job_with(request)).empty());
    }

    void a_guidance_interval_without_guidance_is_noted() {
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
        request.sampling.guidance_method = GuidanceMethod::nag;  // it has the same interval
        QVERIFY(ineffective_options(job_with(request)).empty());
        request.sampling.guidance_method = GuidanceMethod::standard;
        request.sampling.guidance_stop = 1;
        QVERIFY(ineffective_options(job_with(request)).empty());
    }

    void an_interval_without_a_step_is_noted_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("start");
        QTest::addColumn<double>("stop");
        QTest::addColumn<double>("scale");
        QTest::addColumn<GuidanceMethod>("method");
        QTest::addColumn<bool>("is_noted");
        QTest::newRow("few steps") << 4 << 0.5 << 0.55 << 3.0 << GuidanceMethod::standard << true;
        QTest::newRow("many steps") << 40 << 0.5 << 0.55 << 3.0 << GuidanceMethod::standard << false;
        QTest::newRow("apg at the end") << 4 << 0.9 << 1.0 << 3.0 << GuidanceMethod::apg << true;
        QTest::newRow("nag") << 4 << 0.5 << 0.55 << 1.0 << GuidanceMethod::nag << true;
        QTest::newRow("nag in every step") << 4 << 0.0 << 1.0 << 1.0 << GuidanceMethod::nag << false;
    }

    void an_interval_without_a_step_is_noted() {
        QFETCH(int, steps);
        QFETCH(double, start);
        QFETCH(double, stop);
        QFETCH(double, scale);
        QFETCH(GuidanceMethod, method);
        QFETCH(bool, is_noted);
        ResolvedRequest request;
        request.sampling.num_inference_steps = steps;
        request.sampling.guidance_start = start;
        request.sampling.guidance_stop = stop;
        request.sampling.guidance_scale = scale;
        request.sampling.guidance_method = method;
        const auto notes = ineffective_options(job_with(request));
        QCOMPARE(notes.size(), std::size_t{is_noted});
        if (is_noted) QVERIFY(notes.front().find("the run has only 4 steps") != std::string::npos);
    }

    void a_guidance_method_without_effect_is_noted() {
        const auto notes_for = [](const ResolvedSampling& sampling) {
            ResolvedRequest request;
            request.sampling = sampling;
            return ineffective_options(job_with(request)).size();
        };
        ResolvedSampling apg{.guidance_scale = 1, .guidance_method = GuidanceMethod::apg};
        QCOMPARE(notes_for(apg), std::size_t{1});
        apg.guidance_scale = 3;
        QCOMPARE(notes_for(apg), std::size_t{0});
        ResolvedSampling zero{.guidance_scale = 1, .guidance_method = GuidanceMethod::cfg_zero_star};
        QCOMPARE(notes_for(zero), std::size_t{1});
        zero.zero_init_steps = 1;
        QCOMPARE(notes_for(zero), std::size_t{0});
        ResolvedSampling skip{.num_inference_steps = 4, .guidance_method = GuidanceMethod::skip_layer};
        skip.skip_layer_guidance_stop = 0.2;
        QCOMPARE(notes_for(skip), std::size_t{1});
        skip.num_inference_steps = 50;
        QCOMPARE(notes_for(skip), std::size_t{0});
        skip.strength = 0.08;  // 4 steps run
        QCOMPARE(notes_for(skip), std::size_t{1});
    }

    void gguf_storage_of_another_format_is_noted() {
        ResolvedRequest request;
        request.compute.storage = DtypeChoice::gguf;
        const auto notes = ineffective_options(job_with(request, "bfloat16"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("contains bfloat16") != std::string::npos);
        QVERIFY(notes.front().ends_with("in memory it is float32"));
        QVERIFY(ineffective_options(job_with(request, "gguf q4_k", "gguf q4_k")).empty());
    }

    void int8_on_a_device_without_int8_products_is_noted() {
        ResolvedRequest request;
        request.compute.storage = DtypeChoice::int8;
        const auto notes = ineffective_options(job_with(request, "float32", "int8", "cuda:0"));
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().find("saves only memory on cuda:0") != std::string::npos);
        QVERIFY(ineffective_options(job_with(request, "float32", "int8")).empty());
    }
};

QTEST_GUILESS_MAIN(TestIneffectiveOptions)
#include "test_ineffective_options.moc"
