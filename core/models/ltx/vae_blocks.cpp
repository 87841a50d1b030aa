#include "core/models/ltx/vae_blocks.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/device/host_copy.h"
#include "core/nn/parameter.h"
#include "core/nn/shadow.h"

namespace kinescope::ltx {

namespace {

constexpr std::int64_t kTaps = 3;
constexpr double kPixelNormEps = 1e-8;
constexpr std::int64_t kTimestepFrequencies = 256;
constexpr Strides kDoubling = {.time = 2, .rows = 2, .columns = 2};
/// Maximum number of bytes of frames that a convolution stacks in one pass. More frames are convolved in parts.
constexpr std::int64_t kMostStackedBytes = std::int64_t{256} << 20;

/// Moves channels into pixels: [T, H, W, C s] -> [T s, H s, W s, C], with the channel as the slowest index of the C s
/// values.
Tensor channels_to_places(const Tensor& frames, const Strides& strides) {
    const auto t = frames.size(0), h = frames.size(1), w = frames.size(2);
    return frames.reshape({t, h, w, -1, strides.time, strides.rows, strides.columns})
        .permute({0, 4, 1, 5, 2, 6, 3})
        .reshape({t * strides.time, h * strides.rows, w * strides.columns, -1});
}

/// Moves pixels into channels: the inverse of channels_to_places().
Tensor places_to_channels(const Tensor& frames, const Strides& strides) {
    const auto t = frames.size(0) / strides.time, h = frames.size(1) / strides.rows,
               w = frames.size(2) / strides.columns;
    return frames.reshape({t, strides.time, h, strides.rows, w, strides.columns, -1})
        .permute({0, 2, 4, 6, 1, 3, 5})
        .reshape({t, h, w, -1});
}

Tensor noise_scale(const WeightScope& scope, const char* name, const ResnetConfig& config, const Precision& precision) {
    if (config.noise == NoiseInjection::none) return {};
    const auto scale = to_float32(scope.take(name, {config.out, 1, 1}), precision);
    return scale.defined() ? scale.flatten() : scale;
}

Linear pointwise(const WeightScope& scope, const ResnetConfig& config, const Precision& precision) {
    const auto weight = scope.take("weight", {config.out, config.in, 1, 1, 1});
    return Linear(weight.defined() ? weight.flatten(1) : weight, scope.take("bias", {config.out}), precision,
                  scope.path("weight"));
}

VideoConv resnet_conv(const WeightScope& scope, std::int64_t in, const ResnetConfig& config,
                      const Precision& precision) {
    return VideoConv(scope / "conv", scope.path(""), {.in = in, .out = config.out}, config.padding, precision);
}

std::int64_t conv_channels(const EncoderLevel& level) {
    return level.downsampling == Downsampling::strided ? level.in : level.out / strides_of(level.downsampling).volume();
}

/// Returns the scope of the convolution's weights. In the reference, only strided convolutions have no wrapper.
WeightScope conv_scope(const WeightScope& scope, const EncoderLevel& level) {
    return level.downsampling == Downsampling::strided ? scope / "conv" : scope / "conv" / "conv";
}

}  // namespace

VideoConv::VideoConv(const WeightScope& scope, std::string name, const LinearConfig& channels, TimePadding padding,
                     const Precision& precision)
    : name_(std::move(name)), precision_(precision), padding_(padding) {
    const auto weight = scope.take("weight", {channels.out, channels.in, kTaps, kTaps, kTaps});
    const auto bias = scope.take("bias", {channels.out});
    if (!weight.defined()) return;
    conv_ = Conv2d(weight, bias, precision, scope.path("weight"));
    if (!conv_.is_for_winograd()) scope.release_pages();  // the reordered taps are a copy
}

std::vector<Tensor> VideoConv::padded(const Tensor& frames) const {
    std::vector<Tensor> window(padding_ == TimePadding::causal ? kTaps - 1 : (kTaps - 1) / 2, frames[0]);
    for (const auto& frame : frames.unbind(0)) window.push_back(frame);
    if (padding_ == TimePadding::centered) window.push_back(frames[-1]);
    return window;
}

Tensor VideoConv::convolve(const Tensor& frames, const OpPrecision& wanted) const {
    const OpPrecision op = conv_.fit(wanted);
    const auto now = frames.to(conv_.input_dtype(op)).contiguous();
    const auto window = padded(now);
    if (conv_.takes_windows(now, op)) return conv_.over_windows(window);
    const auto frame_bytes = now[0].numel() * kTaps * static_cast<std::int64_t>(now.element_size());
    const auto at_once =
        std::clamp<std::int64_t>(kMostStackedBytes / std::max<std::int64_t>(frame_bytes, 1), 1, now.size(0));
    std::vector<Tensor> results;
    for (std::int64_t first = 0; first < now.size(0); first += at_once) {
        const auto count = std::min(at_once, now.size(0) - first);
        std::vector<Tensor> stacked;
        for (std::int64_t i = first; i < first + count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            stacked.push_back(at::cat({window[at], window[at + 1], window[at + 2]}, -1));
        }
        results.push_back(conv_(at::stack(stacked), op));
    }
    return results.size() == 1 ? results.front() : at::cat(results);
}

/// Returns input_of_middle() of the first result, with the taps stacked along the channels.
Tensor VideoConv::input_of_first_middle(const Tensor& frames) const {
    const auto count = std::min<std::int64_t>(frames.size(0), kTaps - 1);  // no other frame is in the first window
    const auto window = padded(input_of_middle(conv_, frames.narrow(0, 0, count)));
    return at::cat({window[0], window[1], window[2]}, -1).unsqueeze(0);
}

Tensor VideoConv::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto op = context.op(name_, precision_);
    const auto x = convolve(frames, op);
    context.observe(name_, x, op);
    context.shadow(name_, x, op, [&] { return shadow_of_middle(conv_, input_of_first_middle(frames), x, op); });
    return x.to(at::kFloat);
}

Tensor pixel_norm_silu(Tensor frames, const Tensor& scale, const Tensor& shift) {
    const auto gain = scale.defined() ? scale + 1.0 : at::ones({frames.size(-1)}, frames.options());
    const RMSNorm norm(gain, kPixelNormEps, {.device = frames.device()});
    auto x = norm(frames);
    frames.reset();
    if (shift.defined()) x.add_(shift);
    return at::silu_(x);
}

Resnet::Resnet(const WeightScope& scope, const ResnetConfig& config, const Precision& precision)
    : name_(scope.path("")),
      precision_(precision),
      conv1_(resnet_conv(scope / "conv1", config.in, config, precision)),
      conv2_(resnet_conv(scope / "conv2", config.out, config, precision)),
      noise_scale_1_(noise_scale(scope, "per_channel_scale1", config, precision)),
      noise_scale_2_(noise_scale(scope, "per_channel_scale2", config, precision)) {
    if (config.timestep == TimestepUse::present)
        scale_shift_table_ = to_float32(scope.take("scale_shift_table", {4, config.in}), precision);
    if (config.in == config.out) return;
    norm3_ = LayerNorm(scope / "norm3", config.in, config.shortcut_eps, precision);
    conv_shortcut_ = pointwise(scope / "conv_shortcut" / "conv", config, precision);
}

/// Adds noise to the frames. The noise is the same for every frame.
void Resnet::inject(Tensor& frames, const Tensor& scale, const BlockRun& run) const {
    if (!scale.defined()) return;
    const auto plane = sent_to(run.noise(frames.size(1), frames.size(2)), frames.device());
    frames.addcmul_(plane.unsqueeze(-1), scale);
}

Tensor Resnet::shortcut(const Tensor& frames, const ForwardContext& context) const {
    if (!conv_shortcut_) return frames;
    const auto site = name_ + ".conv_shortcut";
    const auto op = context.op(site, precision_);
    const auto x = (*conv_shortcut_)(norm3_(frames), op);
    context.observe(site, x, op);
    return x.to(at::kFloat);
}

Tensor Resnet::forward(const Tensor& frames, const Tensor& time, const BlockRun& run) const {
    const auto rows = time.defined() ? scale_shift_table_ + time : Tensor();
    const auto m = [&](std::int64_t part) { return rows.defined() ? rows[part] : rows; };
    auto x = conv1_.forward(pixel_norm_silu(frames, m(1), m(0)), run.context);
    inject(x, noise_scale_1_, run);
    x = conv2_.forward(pixel_norm_silu(std::move(x), m(3), m(2)), run.context);
    inject(x, noise_scale_2_, run);
    return x.add_(shortcut(frames, run.context));
}

ResnetStack::ResnetStack(const WeightScope& scope, const ResnetConfig& config, std::int64_t num_layers,
                         const Precision& precision) {
    for (std::int64_t i = 0; i < num_layers; ++i) resnets_.emplace_back(scope / "resnets" / i, config, precision);
    if (config.timestep == TimestepUse::present)
        time_embedder_.emplace(scope / "time_embedder" / "timestep_embedder", kTimestepFrequencies, 4 * config.out,
                               precision);
}

Tensor ResnetStack::forward(Tensor frames, const BlockRun& run) const {
    const auto time = time_embedder_ ? (*time_embedder_)(run.timestep).view({4, -1}) : Tensor();
    for (const auto& resnet : resnets_) frames = resnet.forward(std::exchange(frames, {}), time, run);
    return frames;
}

Upsampler::Upsampler(const WeightScope& scope, std::int64_t channels, const Upsampling& config,
                     const Precision& precision)
    : config_(config),
      conv_(scope / "conv" / "conv", scope.path(""),
            {.in = channels, .out = channels * kDoubling.volume() / config.factor}, TimePadding::centered, precision) {}

Tensor Upsampler::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto without_first = [](const Tensor& x) { return x.slice(0, kDoubling.time - 1); };
    const auto x = without_first(channels_to_places(conv_.forward(frames, context), kDoubling));
    if (config_.shortcut == Shortcut::none) return x;
    // The shortcut repeats its channels.
    const auto shortcut = without_first(channels_to_places(frames, kDoubling));
    x.unflatten(-1, {-1, shortcut.size(-1)}).add_(shortcut.unsqueeze(-2));
    return x;
}

Downsampler::Downsampler(const WeightScope& scope, const EncoderLevel& level, const Precision& precision)
    : level_(level),
      conv_(conv_scope(scope, level), scope.path(""), {.in = level.in, .out = conv_channels(level)},
            TimePadding::causal, precision) {}

Tensor Downsampler::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto strides = strides_of(level_.downsampling);
    if (level_.downsampling == Downsampling::strided)
        return conv_.forward(frames, context)
            .slice(0, 0, std::nullopt, strides.time)
            .slice(1, 0, std::nullopt, strides.rows)
            .slice(2, 0, std::nullopt, strides.columns)
            .contiguous();
    const auto whole = at::cat({frames.slice(0, 0, strides.time - 1), frames});
    const auto group = level_.in * strides.volume() / level_.out;
    const auto mean = places_to_channels(whole, strides).unflatten(-1, {-1, group}).mean({-1});
    return places_to_channels(conv_.forward(whole, context), strides).add_(mean);
}

Tensor to_patches(const Tensor& pictures, std::int64_t p) {
    const auto t = pictures.size(0), h = pictures.size(1) / p, w = pictures.size(2) / p;
    return pictures.reshape({t, h, p, w, p, 3}).permute({0, 1, 3, 5, 4, 2}).reshape({t, h, w, 3 * p * p});
}

Tensor from_patches(const Tensor& patches, std::int64_t p) {
    const auto t = patches.size(0), h = patches.size(1), w = patches.size(2);
    return patches.reshape({t, h, w, 3, p, p}).permute({0, 1, 5, 2, 4, 3}).reshape({t, h * p, w * p, 3});
}

}  // namespace kinescope::ltx
