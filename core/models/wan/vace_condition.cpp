#include "core/models/wan/vace_condition.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>

#include "core/api/error.h"
#include "core/device/block_reuse.h"
#include "core/models/load_component.h"
#include "core/models/numbered.h"
#include "core/models/pil_resize.h"
#include "core/models/video_pixels.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

namespace {

/// 8-bit values of frames to generate, as in the authors' recipes.
constexpr int kGray = 127;
constexpr int kWhite = 255;

/// The control video and its mask, 8 bits. Undefined frames: all values are the middle between black and white.
struct Control {
    Tensor frames;  ///< uint8 [F, H, W, 3]
    Tensor mask;    ///< uint8 [F, H, W], white: generate; undefined: generate everything
};

Size asked_size(const EncodeInput& input) {
    return {input.request.content.width, input.request.content.height};
}

Size control_size(const EncodeInput& input, const VaeConfig& config) {
    const ResolvedContent& content = input.request.content;
    const bool has_control = input.video && content.continue_video.empty();  // a continued video has no control video
    if (content.control_fit == ControlFit::stretch || !has_control) return asked_size(input);
    Size first;
    input.video(1, [&](const Tensor& frame) {
        first = {static_cast<int>(frame.size(1)), static_cast<int>(frame.size(0))};
    });
    const auto factor = config.scale_factor_spatial();
    return reference_control_size(first, asked_size(input), factor, 2 * factor);
}

Control given_control(const EncodeInput& input, Size size) {
    const int count = input.request.content.num_frames;
    Control control{.frames = resized_frames(input.video, count, size), .mask = {}};
    if (input.mask) control.mask = resized_frames(input.mask, count, size).select(3, 0).contiguous();
    return control;
}

/// Gray frames that are all generated.
Control gray_control(const EncodeInput& input, Size size) {
    const std::int64_t count = input.request.content.num_frames;
    return {.frames = at::full({count, size.height, size.width, 3}, kGray, at::kByte),
            .mask = at::full({count, size.height, size.width}, kWhite, at::kByte)};
}

void keep_frame(Control& control, std::int64_t index, const Tensor& picture) {
    const auto& frames = control.frames;
    frames[index].copy_(pil_resize(picture, frames.size(1), frames.size(2), PilFilter::lanczos));
    control.mask[index].zero_();
}

/// Gray frames between the images.
Control image_control(const EncodeInput& input, Size size) {
    Control control = gray_control(input, size);
    if (input.image.defined()) keep_frame(control, 0, input.image);
    if (input.last_image.defined()) keep_frame(control, control.frames.size(0) - 1, input.last_image);
    return control;
}

Control continued_control(const EncodeInput& input, int overlap, Size size) {
    Control control = image_control(input, size);
    std::int64_t index = 0;
    input.video(overlap, [&](const Tensor& frame) { keep_frame(control, index++, frame); });
    return control;
}

Control control_of(const EncodeInput& input, int overlap, Size size) {
    if (!input.request.content.continue_video.empty()) return continued_control(input, overlap, size);
    if (input.video) return given_control(input, size);
    if (input.image.defined() || input.last_image.defined()) return image_control(input, size);
    return {};
}

/// Mask values in 0..1, by the reference's float32 operations.
Tensor mask_values(const Tensor& mask) {
    return signed_pixels(mask).add_(1.0).div_(2.0).clamp_(0.0, 1.0);
}

/// Which part of the control video an encoding sees; the other part is gray.
enum class Part { kept, generated };

/// Encodes one part of the control video.
Tensor encode_part(const VaeEncoder& encoder, const Control& control, Part part, const ForwardContext& context) {
    return encoder.encode(
        control.frames.size(0),
        [&](std::int64_t first, std::int64_t count) {
            auto pixels = signed_pixels(control.frames.narrow(0, first, count));
            if (!control.mask.defined()) return part == Part::generated ? pixels : pixels.zero_();
            const auto is_generated = mask_values(control.mask.narrow(0, first, count)).gt(0.5).unsqueeze(3);
            return pixels.mul_(part == Part::generated ? is_generated : is_generated.logical_not());
        },
        context);
}

Tensor encode_gray(const VaeEncoder& encoder, std::int64_t num_frames, Size size, const ForwardContext& context) {
    const auto gray = [&](std::int64_t, std::int64_t count) {
        return at::zeros({count, size.height, size.width, 3}, at::kFloat);
    };
    return encoder.encode(num_frames, gray, context);
}

class ControlEncoder {
public:
    ControlEncoder(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context)
        : input_(input),
          factor_(config.scale_factor_spatial()),
          context_(context),
          encoder_(load_component<VaeEncoder>({input.files, "vae", VaeEncoder::unneeded()}, config,
                                              input.policy.at("vae"))) {}

    Tensor encode(const Control& control, Size size) const {
        auto latents = encode_video(control, size);
        auto mask = encode_mask(control, size, latents.size(2));
        const auto& pictures = input_.reference_images;
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            const auto picture = encode_picture(pictures[i], i, size);
            latents = at::cat({at::cat({picture, at::zeros_like(picture)}, 1), latents}, 2);
        }
        mask = at::constant_pad_nd(mask, {0, 0, 0, 0, static_cast<std::int64_t>(pictures.size()), 0});
        record("vace_latents", latents);
        record("vace_mask", mask);
        const auto condition = at::cat({latents, mask}, 1);
        record("vace_context", condition);
        return condition;
    }

private:
    void record(const std::string& name, const Tensor& value) const {
        if (input_.record) input_.record(name, value);
    }

    Tensor encode_video(const Control& control, Size size) const {
        const BlockReuse reuse(BlockReuse::Surplus::none);
        if (!control.frames.defined()) {
            const auto gray = encode_gray(*encoder_, input_.request.content.num_frames, size, context_).cpu();
            return at::cat({gray, gray}, 1);
        }
        if (input_.record) record("video_pixels", as_video(signed_pixels(control.frames)));
        const auto kept = encode_part(*encoder_, control, Part::kept, context_).cpu();
        return at::cat({kept, encode_part(*encoder_, control, Part::generated, context_).cpu()}, 1);
    }

    Tensor encode_mask(const Control& control, Size size, std::int64_t latent_frames) const {
        const std::int64_t count = input_.request.content.num_frames;
        if (!control.mask.defined())
            return mask_channels(at::ones({count, size.height, size.width}), factor_, latent_frames);
        const auto values = mask_values(control.mask);
        record("mask_pixels", values.unsqueeze(0).unsqueeze(0));
        return mask_channels(values, factor_, latent_frames);
    }

    Tensor encode_picture(const Tensor& picture, std::size_t index, Size size) const {
        const auto canvas = reference_canvas(picture, size, factor_);
        if (input_.record) record(numbered("reference_pixels", static_cast<int>(index)), canvas.permute({2, 0, 1}));
        const auto frame = canvas.unsqueeze(0);
        const BlockReuse reuse(BlockReuse::Surplus::none);
        return encoder_
            ->encode(
                1, [&](std::int64_t, std::int64_t) { return frame; }, context_)
            .cpu();
    }

    const EncodeInput& input_;
    std::int64_t factor_;
    const ForwardContext& context_;
    std::unique_ptr<VaeEncoder> encoder_;
};

/// A mask of the request without white leaves nothing to generate. The mask of a start image may have none: that of a
/// video of one frame.
void check_mask(const Control& control, const std::filesystem::path& file) {
    if (file.empty() || !control.mask.defined() || mask_values(control.mask).gt(0.5).any().item<bool>()) return;
    throw Error(ErrorCode::bad_request,
                "The mask " + file.string() + " contains no white, so that no part of the video is generated",
                "Paint the parts to generate in white.", {{"path", file.string()}});
}

}  // namespace

Size reference_control_size(Size video, Size asked, std::int64_t vae_factor, std::int64_t multiple) {
    const auto cut = [](double side, std::int64_t step) { return static_cast<std::int64_t>(side) / step * step; };
    auto width = cut(video.width, vae_factor);
    auto height = cut(video.height, vae_factor);
    if (width * height > std::int64_t{asked.width} * asked.height) {
        const double scale =
            std::min(asked.width / static_cast<double>(width), asked.height / static_cast<double>(height));
        width = static_cast<std::int64_t>(static_cast<double>(width) * scale);
        height = static_cast<std::int64_t>(static_cast<double>(height) * scale);
    }
    width = cut(static_cast<double>(width), multiple);
    height = cut(static_cast<double>(height), multiple);
    if (width < 1 || height < 1)
        throw Error(ErrorCode::bad_request, "The control video is " + std::to_string(video.width) + " x " +
                                                std::to_string(video.height) + " px, which is too small");
    return {static_cast<int>(width), static_cast<int>(height)};
}

Tensor reference_canvas(const Tensor& picture, Size size, std::int64_t vae_factor) {
    const auto height = std::max(picture.size(0) / vae_factor * vae_factor, vae_factor);
    const auto width = std::max(picture.size(1) / vae_factor * vae_factor, vae_factor);
    const auto cut = signed_pixels(pil_resize(picture, height, width, PilFilter::lanczos)).permute({2, 0, 1});
    const double scale = std::min(size.height / static_cast<double>(height), size.width / static_cast<double>(width));
    const auto new_height = std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(height) * scale), 1);
    const auto new_width = std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(width) * scale), 1);
    const auto fitted =
        at::upsample_bilinear2d(cut.unsqueeze(0).contiguous(), {new_height, new_width}, /*align_corners=*/false)
            .squeeze(0);
    const auto canvas = at::ones({size.height, size.width, 3}, at::kFloat);
    canvas.narrow(0, (size.height - new_height) / 2, new_height)
        .narrow(1, (size.width - new_width) / 2, new_width)
        .copy_(fitted.permute({1, 2, 0}));
    return canvas;
}

Tensor mask_channels(const Tensor& mask, std::int64_t vae_factor, std::int64_t latent_frames) {
    const auto frames = mask.size(0);
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < latent_frames; ++i) chosen.push_back((2 * i + 1) * frames / (2 * latent_frames));
    const auto rows = mask.size(1) / vae_factor;
    const auto columns = mask.size(2) / vae_factor;
    return mask.index_select(0, at::tensor(chosen, at::kLong))
        .view({latent_frames, rows, vae_factor, columns, vae_factor})
        .permute({2, 4, 0, 1, 3})
        .reshape({1, vae_factor * vae_factor, latent_frames, rows, columns});
}

Tensor encode_control(const EncodeInput& input, const VaeConfig& config, int overlap, const ForwardContext& context) {
    const Size size = control_size(input, config);
    const Control control = control_of(input, overlap, size);
    check_mask(control, input.request.content.mask);
    return ControlEncoder(input, config, context).encode(control, size);
}

}  // namespace kinescope::wan
