#include <QtTest>

#include "core/api/error.h"
#include "core/text_encoders/clip_vision_encoder.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

using Use = ClipVisionEncoder::Use;

class TestClipVisionEncoder : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::filesystem::path folder_ = test_data("images/clip_vision");
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("images/clip_vision.safetensors"));

    ClipVisionConfig config() const {
        return read_clip_vision_config(read_json(folder_ / "config.json"), folder_ / "config.json");
    }

    /// Builds the encoder for `use` and checks that all needed tensors exist.
    ClipVisionEncoder build(std::shared_ptr<const CheckpointReader> reader, Use use,
                            const Precision& precision = {}) const {
        WeightStore store(std::move(reader));
        ClipVisionEncoder encoder(WeightScope(store), config(), use, precision);
        store.finish(ClipVisionEncoder::unneeded(config(), use));
        return encoder;
    }

    /// Returns the weights of a vision tower as written by transformers 5: without prefix and without
    /// visual_projection.
    std::shared_ptr<const CheckpointReader> without_prefix() const {
        const auto original = open_checkpoint(folder_);
        auto result = std::make_shared<MemoryCheckpoint>();
        const std::string prefix = "vision_model.";
        for (const auto& entry : original->entries())
            if (entry.name.starts_with(prefix))
                result->add(entry.name.substr(prefix.size()), original->read(entry.name));
        return result;
    }

private Q_SLOTS:
    void equals_the_reference() {
        const auto tower = build(open_checkpoint(folder_), Use::penultimate_states);
        const auto whole = build(open_checkpoint(folder_), Use::image_embeds);
        for (const std::string name : {"wide", "tall"}) {
            const auto pixels = golden_->read(name + ".pixel_values");
            const auto states = relative_error(tower.penultimate_states(pixels, {silent_, token_}),
                                               golden_->read(name + ".penultimate_states"));
            const auto embeds =
                relative_error(whole.image_embeds(pixels, {silent_, token_}), golden_->read(name + ".image_embeds"));
            qInfo("%s: hidden_states[-2] %.2e, image_embeds %.2e", name.c_str(), states, embeds);
            QVERIFY(states <= 3e-5 && embeds <= 3e-5);
        }
    }

    void two_images_are_a_batch() {
        const auto tower = build(open_checkpoint(folder_), Use::penultimate_states);
        const auto pixels = at::cat({golden_->read("wide.pixel_values"), golden_->read("tall.pixel_values")});
        const auto expected =
            at::cat({golden_->read("wide.penultimate_states"), golden_->read("tall.penultimate_states")});
        QVERIFY(relative_error(tower.penultimate_states(pixels, {silent_, token_}), expected) <= 3e-5);
    }

    void prefix_and_projection_are_optional() {
        const auto tower = build(without_prefix(), Use::penultimate_states);
        QVERIFY(relative_error(tower.penultimate_states(golden_->read("wide.pixel_values"), {silent_, token_}),
                               golden_->read("wide.penultimate_states")) <= 3e-5);
        QVERIFY_EXCEPTION_THROWN(build(without_prefix(), Use::image_embeds), Error);
    }

    void every_op_is_observed_and_can_be_raised() {
        struct RaiseAll final : Probe {
            PrecisionLevel level(std::string_view, std::string_view) const override { return PrecisionLevel::scaled; }
        } raise;
        const auto whole = build(open_checkpoint(folder_), Use::image_embeds, {.compute = at::kHalf});
        const auto pixels = golden_->read("wide.pixel_values");
        QVERIFY(relative_error(whole.image_embeds(pixels, {raise, token_}), golden_->read("wide.image_embeds")) < 0.05);
        RecordingProbe probe;
        whole.image_embeds(pixels, {probe, token_});
        for (const auto* site : {"embeddings", "blocks.0.attn", "blocks.1.mlp", "blocks.2", "image_embeds"})
            QCOMPARE(probe.seen[site].size(), std::size_t{1});
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto whole = build(stored_as(folder_, row.stored), Use::image_embeds,
                                     {.storage = row.storage, .compute = row.compute});
            const auto error = relative_error(whole.image_embeds(golden_->read("wide.pixel_values"), {silent_, token_}),
                                              golden_->read("wide.image_embeds"));
            QVERIFY2(error < 0.1, (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"hidden_act": "relu"})", R"({"num_hidden_layers": 0})", R"({"patch_size": 0})",
                                 R"({"image_size": 8})", R"({"num_attention_heads": 7})", R"({"hidden_size": -1})"})
            QVERIFY_EXCEPTION_THROWN(read_clip_vision_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestClipVisionEncoder)
#include "test_clip_vision_encoder.moc"
