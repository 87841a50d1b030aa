#include <ATen/ATen.h>

#include <QTest>
#include <algorithm>

#include "core/device/backend.h"
#include "core/jobs/prepare.h"
#include "tests/support/family_cases.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

class KeepingObserver final : public TensorObserver {
public:
    void on_conditioning(const Conditioning& conditioning) override {
        for (const auto* value : {&conditioning.prompt_embeds, &conditioning.negative_prompt_embeds,
                                  &conditioning.prompt_embeds_2, &conditioning.image_embeds})
            if (value->defined()) values.push_back(value->clone());
    }
    void on_noise_pred(int, const Tensor& value) override { values.push_back(value.clone()); }
    void on_frames(const Tensor& value) override { values.push_back(value.clone()); }

    std::vector<Tensor> values;
};

struct Outcome {
    std::vector<Tensor> values;
    ComputePolicy policy;
};

Outcome run(const std::string& name, DtypeChoice dtype, OffloadMode offload) {
    const auto folder = test_data(name);
    VideoRequest request = parse_request(read_json(folder / "request.json").dump(), folder);
    request.device = "cpu";
    request.dtype = request.text_encoder_dtype = dtype;
    request.num_inference_steps = 2;
    request.offload = offload;
    request.guard = GuardMode::observe;
    request.output = {};
    const PreparedRun job = prepare_job(request, {.resources_dir = {}, .devices = known_devices()});
    KeepingObserver observer;
    run_video(
        job, [](const RunEvent&) {}, CancellationToken(), observer);
    return {std::move(observer.values), job.policy};
}

}  // namespace

/// Tests every family: blocks that are streamed from the file must give the same bits as blocks that stay in memory.
class TestStreaming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streamed_runs_give_the_same_bits_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<DtypeChoice>("dtype");
        const auto rows_of = [](const char* name) {
            for (const DtypeChoice dtype : {DtypeChoice::fp32, DtypeChoice::bf16})
                QTest::addRow("%s %s", name, to_string(dtype).c_str()) << name << dtype;
        };
        std::ranges::for_each(kFamilyCases, rows_of);
        rows_of("wan_video/inpaint");
    }
    void streamed_runs_give_the_same_bits() {
        QFETCH(QString, name);
        QFETCH(DtypeChoice, dtype);
        const auto whole = run(name.toStdString(), dtype, OffloadMode::none);
        const auto streamed = run(name.toStdString(), dtype, OffloadMode::blocks);
        QCOMPARE(whole.policy.denoiser().resident_blocks, kAllBlocks);
        QCOMPARE(streamed.policy.denoiser().resident_blocks, 0);
        QVERIFY(!whole.values.empty());
        QCOMPARE(streamed.values.size(), whole.values.size());
        for (std::size_t i = 0; i < whole.values.size(); ++i)
            QVERIFY2(at::equal(streamed.values[i], whole.values[i]), std::to_string(i).c_str());
    }
};

QTEST_GUILESS_MAIN(TestStreaming)
#include "test_streaming.moc"
