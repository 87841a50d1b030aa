#include <QTest>
#include <limits>
#include <set>

#include "core/numerics/detectors.h"
#include "core/numerics/frame_detector.h"
#include "core/numerics/watch_plan.h"

using namespace kinescope;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

NumericSample sample(const std::string& site, double max_abs, const std::string& dtype = "float16") {
    NumericSample made{.component = "transformer", .site = site, .precision = *compute_precision_from(dtype)};
    made.stats = {.count = 8, .max_abs = max_abs, .std = max_abs};
    return made;
}

NumericSample sample(SiteKind kind, double max_abs) {
    NumericSample made = sample("a site", max_abs);
    made.kind = kind;
    return made;
}

/// Returns "w" for a warning, "r" for a raise, or an empty string if nothing was found.
QString kind(const std::vector<Finding>& found) {
    if (found.empty()) return {};
    return found.front().weight == Finding::Weight::raise ? "r" : "w";
}

}  // namespace

class TestDetectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void site_kinds_have_detectors_data() {
        QTest::addColumn<SiteKind>("kind");
        QTest::addColumn<Detector>("detector");
        QTest::newRow("stream") << SiteKind::block << Detector::block;
        QTest::newRow("attention") << SiteKind::attention << Detector::attention;
        QTest::newRow("inside a feed-forward layer") << SiteKind::feed_forward << Detector::feed_forward;
        QTest::newRow("velocity") << SiteKind::prediction << Detector::prediction;
        QTest::newRow("guidance") << SiteKind::guidance << Detector::prediction;
        QTest::newRow("latents") << SiteKind::latents << Detector::latents;
    }
    void site_kinds_have_detectors() {
        QFETCH(SiteKind, kind);
        QFETCH(Detector, detector);
        QCOMPARE(detector_of(sample(kind, 1)), detector);
    }
    void phases_have_detectors() {
        QCOMPARE(detector_of({.phase = Phase::encode, .kind = SiteKind::attention}), Detector::encoder);
        QCOMPARE(detector_of({.phase = Phase::decode, .site = "decoder.mid_block"}), Detector::vae);
    }
    void the_log_names_detectors_by_number() {
        QCOMPARE(to_string(Detector::weights), std::string("S0"));
        QCOMPARE(to_string(Detector::frames), std::string("S9"));
        QCOMPARE(to_string(Detector::rounding), std::string("S11"));
        QCOMPARE(detector_from("S4"), std::optional(Detector::feed_forward));
        QVERIFY(!detector_from("S13"));
    }

    void headroom_data() {
        QTest::addColumn<double>("max_abs");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("expected");
        QTest::newRow("ample headroom") << 16000.0 << "float16"
                                        << "";
        QTest::newRow("less than 2 stops is noted") << 16400.0 << "float16"
                                                    << "w";
        QTest::newRow("2 stops are noted") << 16376.0 << "float16"
                                           << "w";
        QTest::newRow("more than 1 stop is noted") << 32000.0 << "float16"
                                                   << "w";
        QTest::newRow("1 stop is raised") << 32752.0 << "float16"
                                          << "r";
        QTest::newRow("less than 1 stop is raised") << 33000.0 << "float16"
                                                    << "r";
        QTest::newRow("float32 is ignored") << 1e30 << "float32"
                                            << "";
        QTest::newRow("scaled float16 is ignored") << 60000.0 << "float16 scaled"
                                                   << "";
        QTest::newRow("bfloat16 is ignored") << 1e30 << "bfloat16"
                                             << "";
    }
    void headroom() {
        QFETCH(double, max_abs);
        QFETCH(QString, dtype);
        QFETCH(QString, expected);
        QCOMPARE(kind(find_headroom({sample("blocks.0.ffn", max_abs, dtype.toStdString())})), expected);
    }

    void growth_data() {
        QTest::addColumn<SiteKind>("kind");
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("now");
        QTest::addColumn<bool>("found");
        QTest::newRow("ninefold") << SiteKind::block << 100.0 << 900.0 << true;
        QTest::newRow("sevenfold") << SiteKind::block << 100.0 << 700.0 << false;
        QTest::newRow("small values may grow") << SiteKind::block << 0.1 << 63.0 << false;
        QTest::newRow("from small values to larger ones") << SiteKind::block << 0.1 << 65.0 << true;
        QTest::newRow("the velocity has a separate rule") << SiteKind::prediction << 100.0 << 900.0 << false;
        QTest::newRow("NaN") << SiteKind::block << kNan << 900.0 << true;
    }
    void growth() {
        QFETCH(SiteKind, kind);
        QFETCH(double, before);
        QFETCH(double, now);
        QFETCH(bool, found);
        QCOMPARE(!find_growth({sample(kind, before)}, {sample(kind, now)}).empty(), found);
        QVERIFY(find_growth({}, {sample(kind, now)}).empty());
    }

    /// A reused prediction has no blocks.
    void a_computed_step_is_compared_with_the_last_computed_one() {
        const auto at = [](SiteKind kind, double value, int step) {
            NumericSample made = sample(kind, value);
            made.step = step;
            made.site = kind == SiteKind::prediction ? "noise_pred" : "blocks.0";
            return made;
        };
        Samples previous = comparable_with_next({}, {at(SiteKind::block, 100, 0), at(SiteKind::prediction, 1, 0)});
        for (const int step : {1, 2}) previous = comparable_with_next(previous, {at(SiteKind::prediction, 2, step)});
        QCOMPARE(previous.size(), std::size_t{2});
        QVERIFY(find_velocity(previous, {at(SiteKind::prediction, 15, 3)}).empty());  // of step 2, not of step 0
        const auto found = find_growth(previous, {at(SiteKind::block, 900, 3)});
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].found.code, std::string("growth_in_steps"));
        QCOMPARE(found[0].found.values.at("steps"), std::string("3"));
        previous = comparable_with_next(previous, {at(SiteKind::block, 900, 3)});
        QCOMPARE(previous.size(), std::size_t{1});
        QCOMPARE(find_growth(previous, {at(SiteKind::block, 9000, 4)}).at(0).found.code, std::string("growth"));
    }

    void outside_of_steps_nothing_is_kept_for_the_comparison() {
        NumericSample chunk = sample(SiteKind::block, 1);
        chunk.phase = Phase::decode;
        QCOMPARE(comparable_with_next({sample(SiteKind::prediction, 1)}, {chunk}).size(), std::size_t{1});
    }

    void velocity_data() {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("now");
        QTest::addColumn<bool>("found");
        QTest::newRow("steady") << 1.0 << 1.2 << false;
        QTest::newRow("grows 9-fold") << 1.0 << 9.0 << false;
        QTest::newRow("grows 11-fold") << 1.0 << 11.0 << true;
        QTest::newRow("falls to a ninth") << 1.0 << 0.11 << false;
        QTest::newRow("falls to an eleventh") << 1.0 << 0.09 << true;
        QTest::newRow("NaN") << 1.0 << kNan << true;
    }
    void velocity() {
        QFETCH(double, before);
        QFETCH(double, now);
        QFETCH(bool, found);
        QCOMPARE(!find_velocity({sample(SiteKind::prediction, before)}, {sample(SiteKind::prediction, now)}).empty(),
                 found);
    }
    void dead_guidance() {
        for (const double difference : {0.0, 9e-7})
            QVERIFY(!find_velocity({}, {sample(SiteKind::guidance, difference)}).empty());
        QVERIFY(find_velocity({}, {sample(SiteKind::guidance, 1.1e-6)}).empty());
    }

    void jumps_of_the_latents_data() {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("now");
        QTest::addColumn<bool>("found");
        QTest::newRow("steady") << 1.0 << 1.5 << false;
        QTest::newRow("threefold") << 2.0 << 7.0 << false;
        QTest::newRow("more than fourfold") << 2.0 << 9.0 << true;
        QTest::newRow("small values may grow") << 0.1 << 3.9 << false;
        QTest::newRow("NaN") << 1.0 << kNan << true;
    }
    void jumps_of_the_latents() {
        QFETCH(double, before);
        QFETCH(double, now);
        QFETCH(bool, found);
        QCOMPARE(!find_latents({sample(SiteKind::latents, before)}, {sample(SiteKind::latents, now)}).empty(), found);
    }
    void unchanged_latents() {
        QVERIFY(find_latents({}, {sample(SiteKind::latents_unchanged, 0.19)}).empty());
        QVERIFY(!find_latents({}, {sample(SiteKind::latents_unchanged, 0.21)}).empty());
    }

    void spread_data() {
        QTest::addColumn<double>("spread");
        QTest::addColumn<bool>("found");
        QTest::newRow("as expected") << 1.0 << false;
        QTest::newRow("a quiet scene") << 0.21 << false;
        QTest::newRow("far too small") << 0.19 << true;
        QTest::newRow("random weights") << 7.9 << false;
        QTest::newRow("far too large") << 8.1 << true;
        QTest::newRow("NaN") << kNan << true;
    }
    void spread() {
        QFETCH(double, spread);
        QFETCH(bool, found);
        QCOMPARE(!find_latents({}, {sample(SiteKind::latents_spread, spread)}).empty(), found);
    }

    void embeddings_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("equal_rows");
        QTest::addColumn<double>("cosine");
        QTest::addColumn<bool>("different_prompts");
        QTest::addColumn<bool>("found");
        QTest::newRow("ordinary") << 12 << false << 0.8 << true << false;
        QTest::newRow("all rows equal") << 12 << true << 0.8 << true << true;
        QTest::newRow("one token") << 1 << true << 0.8 << true << false;
        QTest::newRow("similar prompts") << 12 << false << 0.9998 << true << false;
        QTest::newRow("same embedding of two prompts") << 12 << false << 0.99991 << true << true;
        QTest::newRow("same embedding of one prompt") << 12 << false << 1.0 << false << false;
        QTest::newRow("NaN") << 12 << false << kNan << true << true;
    }
    void embeddings() {
        QFETCH(int, rows);
        QFETCH(bool, equal_rows);
        QFETCH(double, cosine);
        QFETCH(bool, different_prompts);
        QFETCH(bool, found);
        const EmbeddingFacts facts{.sample = {},
                                   .num_rows = rows,
                                   .has_equal_rows = equal_rows,
                                   .cosine = cosine,
                                   .has_different_prompts = different_prompts};
        QCOMPARE(!find_embeddings(facts).empty(), found);
    }

    void an_encoder_that_returns_zeros_is_found_data() {
        QTest::addColumn<EncoderInput>("input");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("code");
        QTest::newRow("text") << EncoderInput::text << 0 << "zero_embeddings";
        QTest::newRow("image") << EncoderInput::image << 0 << "zero_embeddings";
        QTest::newRow("image of one row") << EncoderInput::image << 1 << "";
        QTest::newRow("image of equal rows") << EncoderInput::image << 5 << "equal_patches";
        QTest::newRow("text of equal rows") << EncoderInput::text << 5 << "equal_words";
    }
    void an_encoder_that_returns_zeros_is_found() {
        QFETCH(EncoderInput, input);
        QFETCH(int, rows);
        QFETCH(QString, code);
        const auto found = find_embeddings({.input = input, .num_rows = rows, .has_equal_rows = rows > 0});
        QCOMPARE(found.empty() ? QString() : QString::fromStdString(found.front().found.code), code);
    }

    void rounding_data() {
        QTest::addColumn<double>("error");
        QTest::addColumn<double>("lost");
        QTest::addColumn<QString>("code");
        QTest::newRow("ordinary") << 1e-6 << 0.0 << "";
        QTest::newRow("exact") << 0.0 << 0.0 << "";
        QTest::newRow("56 dB") << 2.5e-6 << 0.0 << "";
        QTest::newRow("54 dB: doubt") << 4e-6 << 0.0 << "rounding";
        QTest::newRow("exactly 40 dB: doubt") << 1e-4 << 0.0 << "rounding";
        QTest::newRow("50 dB: doubt") << 1e-5 << 0.0 << "rounding";
        QTest::newRow("as large as the result") << 1.0 << 0.0 << "rounding";
        QTest::newRow("less than 40 dB") << 1.1e-4 << 0.0 << "rounding";
        QTest::newRow("few channels underflow") << 1e-6 << 5.0 << "";
        QTest::newRow("more channels underflow") << 1e-6 << 6.0 << "underflow";
        QTest::newRow("NaN") << kNan << 0.0 << "rounding";
        QTest::newRow("NaN share of channels") << 0.0 << kNan << "underflow";
    }
    void rounding() {
        QFETCH(double, error);
        QFETCH(double, lost);
        QFETCH(QString, code);
        const auto found = find_rounding(
            {.sample = sample("blocks.0.attn1", 1), .error = error, .size = 1, .lost = lost, .channels = 1000});
        QCOMPARE(found.empty(), code.isEmpty());
        if (found.empty()) return;
        QCOMPARE(QString::fromStdString(found[0].found.code), code);
        QCOMPARE(found[0].detector, Detector::rounding);
        QVERIFY(found[0].weight == (error <= 1e-4 && code == QStringLiteral("rounding") ? Finding::Weight::doubt
                                                                                        : Finding::Weight::raise));
        // Even float32 keeps few digits of a result as small as the rounding error in 16 bits.
        QCOMPARE(found.size(), error == 1.0 ? std::size_t{2} : std::size_t{1});
        if (found.size() == 2) QCOMPARE(found[1].found.code, std::string("float32_coarse"));
    }

    /// bfloat16 keeps 18 dB less than float16.
    void rounding_in_bfloat16_data() {
        QTest::addColumn<double>("error");
        QTest::addColumn<int>("findings");
        QTest::newRow("45 dB") << 3.1e-5 << 0;
        QTest::newRow("43 dB: doubt") << 5e-5 << 1;
        QTest::newRow("-13 dB: raised") << 20.0 << 1;
        QTest::newRow("-15 dB: float32 is coarse, too") << 32.0 << 2;
    }
    void rounding_in_bfloat16() {
        QFETCH(double, error);
        QFETCH(int, findings);
        const auto found =
            find_rounding({.sample = sample("conv_in", 1, "bfloat16"), .error = error, .size = 1, .channels = 8});
        QCOMPARE(static_cast<int>(found.size()), findings);
    }

    void an_inherited_error_does_not_raise_the_op_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<double>("error");
        QTest::addColumn<double>("inherited");
        QTest::addColumn<bool>("raises");
        QTest::newRow("bfloat16, own error of 41 dB") << "bfloat16" << 1.2e-4 << 4e-5 << false;
        QTest::newRow("bfloat16, own error of 39.6 dB") << "bfloat16" << 1.2e-4 << 1e-5 << true;
        QTest::newRow("bfloat16, all of it") << "bfloat16" << 1.2e-4 << 1.2e-4 << false;
        QTest::newRow("bfloat16, beyond the limit of a step") << "bfloat16" << 3e-4 << 2.9e-4 << true;
        QTest::newRow("bfloat16, NaN") << "bfloat16" << 1.2e-4 << kNan << true;
        QTest::newRow("float16") << "float16" << 1.2e-4 << 1e-4 << true;
    }
    void an_inherited_error_does_not_raise_the_op() {
        QFETCH(QString, dtype);
        QFETCH(double, error);
        QFETCH(double, inherited);
        QFETCH(bool, raises);
        const auto found = find_rounding({.sample = sample("conv_in", 1, dtype.toStdString()),
                                          .error = error,
                                          .size = 1,
                                          .channels = 8,
                                          .inherited = inherited});
        QVERIFY(found.at(0).weight == (raises ? Finding::Weight::raise : Finding::Weight::doubt));
    }

    /// Rounding before an op cannot be healed in that op.
    void sensitivity_raises_the_component() {
        const auto found = [](double error, const char* dtype) {
            return find_rounding({.sample = sample("blocks.0.attn1", 1, dtype), .error = error, .size = 1});
        };
        QVERIFY(found(1e-6, "float16").empty());
        QVERIFY(found(9e-5, "float16").at(0).weight == Finding::Weight::doubt);
        QVERIFY(found(1.1e-4, "float16").at(0).weight == Finding::Weight::raise_component);
        QVERIFY(found(1e-5, "bfloat16").empty());
        QVERIFY(found(1.1e-4, "bfloat16").at(0).weight == Finding::Weight::raise);
        QVERIFY(found(1e-2, "bfloat16").at(0).weight == Finding::Weight::raise_component);
        QCOMPARE(found(1e-2, "bfloat16").at(0).found.code, std::string("sensitive"));
    }

    /// The attention of a text encoder is one op with the projections of its queries and keys.
    void sensitivity_raises_the_attention_of_a_text_encoder() {
        const auto found = [](double error, const char* dtype) {
            NumericSample seen = sample("blocks.0.attn", 1, dtype);
            seen.component = "text_encoder";
            return find_rounding({.sample = seen, .error = error, .size = 1});
        };
        QVERIFY(found(9e-5, "float16").empty());
        QVERIFY(found(1.1e-4, "float16").at(0).weight == Finding::Weight::raise);
        QVERIFY(found(1e-3, "bfloat16").empty());
        QVERIFY(found(1e-2, "bfloat16").at(0).weight == Finding::Weight::raise);
        QCOMPARE(found(1e-2, "bfloat16").at(0).found.code, std::string("sensitive"));
    }

    void shadows_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<double>("error");
        QTest::addColumn<QString>("expected");
        const auto add = [](const char* name, const char* dtype, double error, const char* expected) {
            QTest::newRow(name) << dtype << error << expected;
        };
        add("float32", "float32", 9e-4, "");
        add("float32, too large", "float32", 1.1e-3, "w");
        add("float16", "float16", 9e-3, "");
        add("float16, too large", "float16", 1.1e-2, "w");
        add("bfloat16", "bfloat16", 0.05, "");
        add("bfloat16, too large", "bfloat16", 0.07, "w");
        add("int8", "int8", 0.09, "");
        add("int8, too coarse", "int8", 0.11, "r");
        add("NaN", "float16", kNan, "w");
    }
    void shadows() {
        QFETCH(QString, dtype);
        QFETCH(double, error);
        QFETCH(QString, expected);
        const auto seen = sample("blocks.0.ffn.net.2", 1, dtype.toStdString());
        QCOMPARE(kind(find_shadow({.sample = seen, .relative_error = error})), expected);
    }
    void float8() {
        QVERIFY(find_float8({.sample = {}, .saturated = 0.001, .zero = 0.05}).empty());
        QVERIFY(!find_float8({.sample = {}, .saturated = 0.02, .zero = 0}).empty());
        QVERIFY(!find_float8({.sample = {}, .saturated = 0, .zero = 0.3}).empty());
    }

    void videos_data() {
        QTest::addColumn<int>("black");
        QTest::addColumn<int>("uniform");
        QTest::addColumn<int>("grey");
        QTest::addColumn<int>("zeros");  // number of zeros in 1000 values
        QTest::addColumn<int>("full");
        QTest::addColumn<bool>("broken");
        QTest::addColumn<bool>("broken_after_an_alarm");
        QTest::newRow("ordinary") << 0 << 0 << 0 << 10 << 10 << false << false;
        QTest::newRow("black") << 20 << 20 << 0 << 1000 << 0 << true << true;
        QTest::newRow("black with a few hot pixels") << 20 << 0 << 0 << 995 << 0 << true << true;
        QTest::newRow("all but the first frame black") << 19 << 19 << 0 << 995 << 0 << true << true;
        QTest::newRow("a night scene") << 20 << 0 << 0 << 600 << 0 << false << true;
        QTest::newRow("a fade to black") << 9 << 9 << 0 << 450 << 0 << false << false;
        QTest::newRow("uniform gray") << 0 << 20 << 20 << 0 << 0 << true << true;
        QTest::newRow("nearly uniform gray") << 0 << 0 << 20 << 0 << 0 << true << true;
        QTest::newRow("saturated") << 0 << 0 << 0 << 450 << 500 << false << true;
    }
    void videos() {
        QFETCH(int, black);
        QFETCH(int, uniform);
        QFETCH(int, grey);
        QFETCH(int, zeros);
        QFETCH(int, full);
        QFETCH(bool, broken);
        QFETCH(bool, broken_after_an_alarm);
        const VideoFacts facts{.num_frames = 20,
                               .num_black = black,
                               .num_uniform = uniform,
                               .num_gray = grey,
                               .num_values = 1000,
                               .num_zeros = zeros,
                               .num_full = full};
        QCOMPARE(broken_video(facts, Evidence::none).has_value(), broken);
        QCOMPARE(broken_video(facts, Evidence::open_alarm).has_value(), broken_after_an_alarm);
    }

    void suspicious_videos_data() {
        QTest::addColumn<int>("black");
        QTest::addColumn<int>("one_color");
        QTest::addColumn<int>("still");
        QTest::addColumn<int>("equal");
        QTest::addColumn<int>("brightest");
        QTest::addColumn<QString>("code");
        QTest::newRow("ordinary") << 0 << 0 << 0 << 0 << 250 << "";
        QTest::newRow("mostly black") << 7 << 0 << 0 << 0 << 250 << "frames_black";
        QTest::newRow("a night that fades to black") << 6 << 0 << 0 << 0 << 250 << "";
        QTest::newRow("too dark to see") << 0 << 0 << 0 << 0 << 4 << "frames_dark";
        QTest::newRow("night") << 0 << 0 << 0 << 0 << 5 << "";
        QTest::newRow("flat and still") << 0 << 9 << 8 << 8 << 200 << "frames_empty";
        QTest::newRow("a flat fade") << 0 << 9 << 4 << 0 << 200 << "";
        QTest::newRow("a slow scene") << 0 << 0 << 8 << 0 << 200 << "";
        QTest::newRow("frozen") << 0 << 0 << 8 << 8 << 200 << "frames_equal";
        QTest::newRow("one frame moves") << 0 << 0 << 8 << 7 << 200 << "";
    }
    void suspicious_videos() {
        QFETCH(int, black);
        QFETCH(int, one_color);
        QFETCH(int, still);
        QFETCH(int, equal);
        QFETCH(int, brightest);
        QFETCH(QString, code);
        const auto found = find_in_video({.num_frames = 9,
                                          .num_black = black,
                                          .num_one_color = one_color,
                                          .num_still = still,
                                          .num_equal = equal,
                                          .brightest = brightest,
                                          .num_values = 1000});
        QCOMPARE(found.empty() ? QString() : QString::fromStdString(found[0].found.code), code);
    }
    /// Both black and white are frequent in a broken video; a night sky or a sheet of paper has only one of them.
    void saturated_videos_data() {
        QTest::addColumn<int>("zeros");
        QTest::addColumn<int>("full");
        QTest::addColumn<bool>("found");
        QTest::newRow("both") << 450 << 500 << true;
        QTest::newRow("mostly white") << 60 << 850 << true;
        QTest::newRow("with other values") << 450 << 440 << false;
        QTest::newRow("a sheet of paper") << 40 << 900 << false;
        QTest::newRow("a night sky") << 900 << 40 << false;
    }
    void saturated_videos() {
        QFETCH(int, zeros);
        QFETCH(int, full);
        QFETCH(bool, found);
        const auto seen = find_in_video(
            {.num_frames = 9, .brightest = 255, .num_values = 1000, .num_zeros = zeros, .num_full = full});
        QCOMPARE(!seen.empty() && seen[0].found.code == "frames_extreme", found);
        QCOMPARE(seen.empty(), !found);
    }
    void few_frames_may_be_equal_by_chance() {
        const auto found = [](int frames) {
            return find_in_video({.num_frames = frames, .num_equal = frames - 1, .brightest = 200});
        };
        QVERIFY(found(3).empty());
        QCOMPARE(found(4).at(0).found.code, std::string("frames_equal"));
    }
    void few_frames_of_one_color_are_no_chance() {
        const auto found = find_in_video({.num_frames = 3, .num_one_color = 3, .num_still = 2, .brightest = 200});
        QCOMPARE(found.at(0).found.code, std::string("frames_empty"));
    }
    void one_frame_alone_is_never_frozen() {
        QVERIFY(find_in_video({.num_frames = 1, .num_one_color = 1, .brightest = 200}).empty());
    }

    void a_model_that_predicts_nothing_is_named() {
        NumericSample sample{.phase = Phase::denoise, .component = "transformer", .kind = SiteKind::prediction};
        sample.stats = {.count = 8};
        QCOMPARE(find_velocity({}, {sample}).at(0).found.code, std::string("zero_prediction"));
        sample.stats.max_abs = 1e-30;
        QVERIFY(find_velocity({}, {sample}).empty());
    }

    void watch_levels_data() {
        QTest::addColumn<int>("phase");
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("attempt");
        QTest::addColumn<int>("watch");
        const auto row = [](const char* name, Phase phase, int step, int attempt, Watch watch) {
            QTest::newRow(name) << static_cast<int>(phase) << step << attempt << static_cast<int>(watch);
        };
        row("first step", Phase::denoise, 0, 0, Watch::ops);
        row("later", Phase::denoise, 5, 0, Watch::sites);
        row("a retry", Phase::denoise, 5, 1, Watch::ops);
        row("an encoder", Phase::encode, 1, 0, Watch::ops);
        row("first chunk", Phase::decode, 0, 0, Watch::ops);
        row("later chunk", Phase::decode, 3, 0, Watch::sites);
    }
    void watch_levels() {
        QFETCH(int, phase);
        QFETCH(int, step);
        QFETCH(int, attempt);
        QFETCH(int, watch);
        QCOMPARE(static_cast<int>(watch_level({.phase = static_cast<Phase>(phase), .step = step, .attempt = attempt})),
                 watch);
    }

    void shadows_reach_every_block_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 2, 6, 7, 8, 14, 21, 28, 30, 35, 40, 42, 48, 56, 70, 72, 1000})
            QTest::addRow("%d blocks", count) << count;
    }
    void shadows_reach_every_block() {
        QFETCH(int, count);
        std::set<int> blocks;
        for (int turn = 0; turn < count; ++turn) blocks.insert(shadowed_block(turn, count));
        QCOMPARE(blocks.size(), static_cast<std::size_t>(count));
        QCOMPARE(*blocks.begin(), 0);
        QCOMPARE(*blocks.rbegin(), count - 1);
        QCOMPARE(shadowed_block(count, count), shadowed_block(0, count));
    }

    void shadows_take_turns_over_the_blocks() {
        ShadowTurns turns;
        QVERIFY(turns.is_due("transformer", "blocks.0.ffn.net.2", 0));
        for (int block = 0; block < 4; ++block) turns.add_site("transformer", "blocks." + std::to_string(block));
        QVERIFY(!turns.is_due("transformer", "blocks.0.ffn.net.2", 1));
        QVERIFY(turns.is_due("transformer", "blocks.3.ffn.net.2", 10));
        QVERIFY(turns.is_due("transformer", "blocks.2.ffn.net.2", 20));
        QVERIFY(!turns.is_due("transformer", "proj_out", 0));
    }
};

QTEST_GUILESS_MAIN(TestDetectors)
#include "test_detectors.moc"
