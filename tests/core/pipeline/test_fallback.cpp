#include <QtTest>

#include "core/pipeline/fallback.h"

using namespace kinescope;

namespace {

ComputePolicy policy_on(const Device& device) {
    ComputePolicy policy;
    for (const char* name : {"transformer", "text_encoder", "vae"})
        policy.components[name].precision = {.device = device, .storage = at::kHalf, .compute = at::kHalf};
    return policy;
}

NumericError error_at(const std::string& component, Detector detector) {
    return {ErrorCode::not_finite,
            "message",
            "hint",
            {.detector = detector, .phase = Phase::decode, .component = component, .site = "decoder"}};
}

GuardActed not_finite_warning() {
    return {.phase = Phase::denoise,
            .step = 1,
            .site = "transformer.blocks.0",
            .detector = Detector::block,
            .found = {.code = "not_finite", .values = {{"nan", "3"}}, .text = "3 NaN"},
            .action = GuardAction::observe,
            .before = ComputePrecision{ElementType::float16},
            .after = ComputePrecision{ElementType::float16}};
}

}  // namespace

class TestFallback : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_cpu_takes_over_data() {
        QTest::addColumn<QString>("component");
        QTest::addColumn<Detector>("detector");
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("moves");
        QTest::newRow("a VAE") << "vae" << Detector::vae << "cuda:0" << true;
        QTest::newRow("an encoder") << "text_encoder" << Detector::encoder << "cuda:0" << true;
        QTest::newRow("not a denoiser") << "transformer" << Detector::block << "cuda:0" << false;
        QTest::newRow("not from the CPU") << "vae" << Detector::vae << "cpu" << false;
        QTest::newRow("not for damaged weights") << "vae" << Detector::weights << "cuda:0" << false;
        QTest::newRow("not for frames") << "vae" << Detector::frames << "cuda:0" << false;
        QTest::newRow("not an unknown component") << "other" << Detector::vae << "cuda:0" << false;
    }
    void the_cpu_takes_over() {
        QFETCH(QString, component);
        QFETCH(Detector, detector);
        QFETCH(QString, device);
        QFETCH(bool, moves);
        const NumericError error = error_at(component.toStdString(), detector);
        const ComputePolicy policy = policy_on(Device(device.toStdString()));
        QCOMPARE(can_move_to_cpu(error, policy), moves);
        if (!moves) return;
        const Precision moved = moved_to_cpu(policy, error).at(component.toStdString());
        QVERIFY(moved.device.is_cpu() && moved.compute == at::kFloat);
    }

    void a_damaged_weight_is_recorded_with_its_component() {
        ModelFiles files;
        files.components["vae"].folder = "/model/vae";
        const NumericError error(ErrorCode::not_finite, "message", "hint",
                                 {.detector = Detector::weights,
                                  .site = "decoder.weight",
                                  .found = "1 NaN",
                                  .file = "/model/vae/weights.safetensors"});
        const auto record = stop_record(error, files);
        QVERIFY(record);
        QCOMPARE(record->site, std::string("vae.decoder.weight"));
        QCOMPARE(record->detector, Detector::weights);
        QCOMPARE(record->action, GuardAction::stop);
        QCOMPARE(to_string(record->before), std::string());
    }

    void other_errors_leave_no_record() {
        QVERIFY(!stop_record(error_at("vae", Detector::vae), {}));
        QVERIFY(!stop_record(Error(ErrorCode::disk_full, "message"), {}));
        QCOMPARE(stop_record(error_at("vae", Detector::frames), {})->site, std::string("vae.decoder"));
    }

    void black_frames_are_explained_by_an_observed_fault() {
        const NumericError frames = error_at("vae", Detector::frames);
        const auto cause = observed_cause(frames, {not_finite_warning()});
        QVERIFY(cause);
        QCOMPARE(cause->fault().site, std::string("transformer.blocks.0"));
        QCOMPARE(cause->arguments().at("step"), std::string("2"));
        QCOMPARE(cause->arguments().at("guard"), std::string("observe"));
        QCOMPARE(cause->arguments().at("dtype"), std::string("float16"));
        QCOMPARE(cause->arguments().at("nan"), std::string("3"));
        QVERIFY(!observed_cause(frames, {}));
        QVERIFY(!observed_cause(error_at("vae", Detector::vae), {not_finite_warning()}));
        QVERIFY(!observed_cause(Error(ErrorCode::disk_full, "message"), {not_finite_warning()}));
    }
};

QTEST_GUILESS_MAIN(TestFallback)
#include "test_fallback.moc"
