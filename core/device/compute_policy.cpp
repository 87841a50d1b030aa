#include "core/device/compute_policy.h"

#include <algorithm>

#include "core/api/component_role.h"
#include "core/api/error.h"
#include "core/device/dtype.h"
#include "core/device/dtype_support.h"

namespace kinescope {

namespace {

/// The inputs that determine the choice for one component on one device, except the user's options.
struct Case {
    const std::string& component;
    Dtype stored;
    const DeviceCapability& device;
    const ModelCard& card;

    ComponentRole role() const { return role_of(component); }
    bool is_native(Dtype dtype) const { return compute_support(device, dtype) == DtypeSupport::native; }
};

struct Choice {
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;
    std::string reason;
    QuantizedWeights quantized = QuantizedWeights::upcast;
    PrecisionLevel level = PrecisionLevel::planned;
    Float32Convolutions convolutions = Float32Convolutions::exact;

    std::string compute_name() const { return to_string(ComputePrecision{element_type(compute), level}); }
};

/// Returns true for float8 and for GGUF blocks.
bool is_quantized(Dtype stored) {
    return c10::isFloat8Type(stored) || stored == at::kByte;
}

std::string hardware_words(const DeviceCapability& device) {
    switch (device.kind) {
        case DeviceKind::cuda:
            return "compute capability " + capability_text(device) +
                   (is_turing_without_tensor_cores(device) ? " without tensor cores" : "");
        case DeviceKind::mps:
            return capability_text(device) + " on MPS";
        case DeviceKind::cpu:
            break;
    }
    return "a CPU (" + capability_text(device) + ")";
}

std::string device_words(const DeviceCapability& device) {
    std::string faulty;
    for (const auto& dtype : device.faulty_dtypes) faulty += (faulty.empty() ? "" : " and ") + dtype;
    return hardware_words(device) + (faulty.empty() ? "" : " (failed the device check in " + faulty + ")");
}

Dtype training_dtype(const ModelCard& card) {
    const auto dtype = parse_dtype(card.training_dtype);
    return dtype == at::kHalf || dtype == at::kFloat ? *dtype : at::kBFloat16;
}

/// Returns the 16-bit storage dtype for weights that are multiplied in float32: the file's own or, if the file is
/// wider, the training dtype, so that no value overflows (a bfloat16 weight may exceed the range of float16).
Dtype compact_storage(const Case& c) {
    const Dtype half = c.stored == at::kHalf || c.stored == at::kBFloat16 ? c.stored : training_dtype(c.card);
    return can_store(c.device, half) ? half : at::kFloat;
}

bool stays_float32(const Case& c) {
    return c.role() == ComponentRole::image_encoder || std::ranges::count(c.card.float32_names, c.component) > 0;
}

Choice automatic_vae(const Case& c) {
    const Dtype own = parse_dtype(c.card.vae_dtype).value_or(at::kFloat);
    if (own != at::kFloat && c.device.kind == DeviceKind::cuda && c.is_native(own))
        return {own, own, dtype_name(own) + ": safe for this model's decoder, and native on " + device_words(c.device)};
    return {at::kFloat, at::kFloat, "float32: the decoder loses visible quality or overflows in 16 bits"};
}

Choice float32_on_compact_weights(const Case& c) {
    const Dtype storage = compact_storage(c);
    return {storage, at::kFloat,
            "float32 on " + dtype_name(storage) + " weights: " + device_words(c.device) + " has no fast bfloat16" +
                (c.card.fp16_safe && c.is_native(at::kHalf) ? "" : ", and float16 may overflow in this model")};
}

/// Chooses float16 with scaled operands, for a model whose values leave the range of float16. The products are as fast
/// as in float16, and nothing overflows.
Choice scaled_float16(const Case& c) {
    return {.storage = at::kHalf,
            .compute = at::kHalf,
            .reason = "float16 products on scaled operands, float32 between them: " + device_words(c.device) +
                      " has no fast bfloat16, and plain float16 may overflow in this model",
            .level = PrecisionLevel::scaled};
}

Choice automatic(const Case& c) {
    if (c.device.kind == DeviceKind::cpu)
        return {at::kFloat, at::kFloat, "float32: the most accurate choice on " + device_words(c.device)};
    if (stays_float32(c))
        return {at::kFloat, at::kFloat, "float32: small compared with the denoiser, and sensitive to rounding"};
    if (c.role() == ComponentRole::vae) return automatic_vae(c);
    if (c.is_native(at::kBFloat16))
        return {at::kBFloat16, at::kBFloat16, "bfloat16: native on " + device_words(c.device)};
    if (c.role() == ComponentRole::denoiser && c.is_native(at::kHalf)) {
        if (!c.card.fp16_safe) return scaled_float16(c);
        return {at::kHalf, at::kHalf, "float16: safe for this model, and native on " + device_words(c.device)};
    }
    return float32_on_compact_weights(c);
}

/// Returns warnings about a dtype that the user requested and the device supports.
std::string caveat(const Case& c, Dtype dtype) {
    if (compute_support(c.device, dtype) == DtypeSupport::emulated)
        return is_turing_without_tensor_cores(c.device)
                   ? ", although such GPUs are known to produce NaN in it; the guard checks for it"
                   : ", although " + device_words(c.device) + " only emulates it and is slow";
    const bool leaves_range = dtype == at::kHalf && c.role() == ComponentRole::denoiser && !c.card.fp16_safe;
    return leaves_range ? ", although this model can overflow in it; the guard raises the precision of ops that do"
                        : "";
}

enum class IfUnsupported { use_nearest, fail };

[[noreturn]] void refuse(const Case& c, Dtype dtype) {
    throw Error(ErrorCode::unsupported,
                c.component + " cannot run in " + dtype_name(dtype) + " on " + device_id(c.device) + ": " +
                    device_words(c.device) + " does not support it",
                "Use --dtype auto, or --device auto.", {{"component", c.component}, {"device", device_id(c.device)}});
}

Choice with_requested_dtype(Choice choice, const Case& c, DtypeChoice requested, IfUnsupported if_unsupported) {
    const auto dtype = dtype_of(requested);
    if (!dtype) return choice;
    if (compute_support(c.device, *dtype) != DtypeSupport::none)
        return {*dtype, *dtype, dtype_name(*dtype) + ": requested" + caveat(c, *dtype)};
    if (if_unsupported == IfUnsupported::fail) refuse(c, *dtype);
    const Dtype storage = compact_storage(c);
    return {storage, at::kFloat,
            "float32 instead of the requested " + dtype_name(*dtype) + ": not supported by " + device_words(c.device)};
}

/// Keeps the quantized weights of large components, because float32 would take four to eight times as much memory.
Choice with_quantized_weights(Choice choice, const Case& c, DtypeChoice requested) {
    const bool is_large = c.role() == ComponentRole::denoiser || c.role() == ComponentRole::text_encoder;
    const bool is_kept =
        requested == DtypeChoice::automatic || requested == DtypeChoice::fp8 || requested == DtypeChoice::gguf;
    if (!is_quantized(c.stored) || !is_large || !is_kept || !can_store(c.device, c.stored)) return choice;
    choice.quantized = QuantizedWeights::keep;
    choice.reason += "; quantized weights keep the file's format and are dequantized for each product";
    return choice;
}

/// Describes how the device multiplies weights of the chosen storage dtype.
std::string multiplication_words(const Case& c, const Choice& choice) {
    if (compute_support(c.device, choice.storage) == DtypeSupport::none)
        return ", storage only: " + device_words(c.device) + " cannot multiply them";
    if (choice.storage == at::kChar && choice.compute == at::kFloat)
        return ": the layers of the blocks multiply int8 by int8, with one scale per row";
    return "";
}

Choice with_requested_storage(Choice choice, const Case& c, DtypeChoice requested, IfUnsupported if_unsupported) {
    const auto dtype = dtype_of(requested);
    if (c.role() != ComponentRole::denoiser) return choice;
    if (requested == DtypeChoice::gguf && c.stored != at::kByte)
        choice.reason += "; storage gguf has no effect because the file has no GGUF blocks";
    if (!dtype) return choice;
    if (can_store(c.device, *dtype)) {
        choice.storage = *dtype;
        choice.reason +=
            "; weights stored in " + dtype_name(*dtype) + " as requested" + multiplication_words(c, choice);
        return choice;
    }
    if (if_unsupported == IfUnsupported::fail) refuse(c, *dtype);
    choice.storage = compact_storage(c);
    choice.reason += "; weights stored in " + dtype_name(choice.storage) + " instead of the requested " +
                     dtype_name(*dtype) + ": not supported by " + device_words(c.device);
    return choice;
}

/// Returns the dtype that the user requested for a component. The image encoder has no such option.
DtypeChoice requested_dtype(ComponentRole role, const PrecisionOptions& options) {
    switch (role) {
        case ComponentRole::denoiser:
            return options.dtype;
        case ComponentRole::text_encoder:
            return options.text_encoder_dtype;
        case ComponentRole::vae:
            // float16 is precise enough for frames and its range is checked; bfloat16 is not precise enough.
            return options.vae_dtype == DtypeChoice::automatic && options.dtype == DtypeChoice::fp16
                       ? options.dtype
                       : options.vae_dtype;
        case ComponentRole::image_encoder:
        case ComponentRole::none:
            break;
    }
    return DtypeChoice::automatic;
}

/// Allows TF32 in the convolutions of a VAE that computes in float32 although the user did not request float32. TF32
/// has the mantissa of float16 and the range of float32, which is precise enough for frames of 8 bits.
Choice with_tf32(Choice choice, const Case& c, const PrecisionOptions& options) {
    const bool wants_float32 = options.vae_dtype == DtypeChoice::fp32 || options.dtype == DtypeChoice::fp32;
    const bool has_tf32 = c.device.fast_paths.contains(FastPath::tf32_convolution);
    if (c.role() != ComponentRole::vae || choice.compute != at::kFloat || wants_float32 || !has_tf32) return choice;
    choice.convolutions = Float32Convolutions::tf32;
    choice.reason += "; its convolutions round to TF32";
    return choice;
}

/// Returns the name of the kernel that computes attention.
std::string attention_backend(const DeviceCapability& device, Dtype compute) {
    switch (device.kind) {
        case DeviceKind::cuda:
            if (compute == at::kFloat) return "memory-efficient";
            if (device.fast_paths.contains(FastPath::cudnn_attention)) return "cuDNN";
            return device.compute_major >= 8 ? "flash" : "memory-efficient";
        case DeviceKind::mps:
            return "scaled_dot_product (MPS)";
        case DeviceKind::cpu:
            break;
    }
    return "flash (CPU)";
}

ComponentChoice choose(const Case& c, const PrecisionOptions& options) {
    const DtypeChoice requested = requested_dtype(c.role(), options);
    const auto if_unsupported = options.device == "auto" ? IfUnsupported::use_nearest : IfUnsupported::fail;
    Choice choice = with_requested_dtype(automatic(c), c, requested, if_unsupported);
    choice = with_requested_storage(std::move(choice), c, options.storage, if_unsupported);
    choice = with_quantized_weights(std::move(choice), c, options.storage);
    choice = with_tf32(std::move(choice), c, options);
    return {.precision = {.device = Device(device_id(c.device)),
                          .storage = choice.storage,
                          .compute = choice.compute,
                          .level = choice.level,
                          .quantized = choice.quantized,
                          .convolutions = choice.convolutions},
            .attention = attention_backend(
                c.device, choice.level == PrecisionLevel::planned ? choice.compute : at::ScalarType(at::kFloat)),
            .requested = requested,
            .reason = choice.reason};
}

}  // namespace

std::string StoredFormat::name() const {
    return packing.empty() ? dtype_name(dtype) : packing;
}

const Precision& ComputePolicy::at(const std::string& component) const {
    const auto found = components.find(component);
    if (found == components.end()) throw Error(ErrorCode::internal, "no policy for the component '" + component + "'");
    return found->second.precision;
}

std::string ComputePolicy::denoiser_name() const {
    return components.contains("unet") ? "unet" : "transformer";
}

ComputePolicy resolve_compute_policy(const PrecisionOptions& options, const StoredDtypes& stored,
                                     const DeviceCapability& device, const ModelCard& card) {
    ComputePolicy policy;
    for (const auto& [name, format] : stored)
        policy.components[name] =
            choose({.component = name, .stored = format.dtype, .device = device, .card = card}, options);
    return policy;
}

PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation) {
    const auto row = [&](const std::string& name, const ComponentChoice& choice, const StoredFormat& stored_format) {
        return ComponentPolicy{
            .component = name,
            .stored = stored_format.name(),
            .storage = choice.precision.quantized == QuantizedWeights::keep ? stored_format.name()
                                                                            : dtype_name(choice.precision.storage),
            .compute = to_string(ComputePrecision{element_type(choice.precision.compute), choice.precision.level}),
            .accumulation = accumulation,
            .attention = choice.attention,
            .device = choice.precision.device.str(),
            .requested = to_string(choice.requested),
            .reason = choice.reason};
    };
    PolicySummary rows;
    for (const auto& [name, choice] : policy.components) rows.push_back(row(name, choice, stored.at(name)));
    return rows;
}

DeviceInfo describe_device(const DeviceCapability& device) {
    std::vector<std::string> native;
    for (const Dtype dtype : {at::kFloat8_e4m3fn, at::kBFloat16, at::kHalf, at::kFloat})
        if (compute_support(device, dtype) == DtypeSupport::native) native.push_back(dtype_name(dtype));
    const std::string denoiser = "transformer";
    const Choice choice =
        automatic({.component = denoiser, .stored = at::kBFloat16, .device = device, .card = ModelCard()});
    return {.id = device_id(device),
            .name = device.name,
            .capability = capability_text(device),
            .memory_total_bytes = device.memory_total_bytes,
            .memory_free_bytes = device.memory_free_bytes,
            .memory_limit = device.memory_limit,
            .dtypes = native,
            .compute_dtype = choice.compute_name(),
            .reason = choice.reason,
            .driver = device.driver,
            .unusable = device.unusable};
}

}  // namespace kinescope
