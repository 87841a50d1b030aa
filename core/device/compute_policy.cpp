#include "core/device/compute_policy.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/device/dtype.h"
#include "core/device/dtype_support.h"

namespace kinescope {

namespace {

enum class Role { text_encoder, image_encoder, denoiser, vae };

Role role_of(const std::string& component) {
    if (component.starts_with("text_encoder")) return Role::text_encoder;
    if (component == "vae") return Role::vae;
    return component == "image_encoder" ? Role::image_encoder : Role::denoiser;
}

/// One component on one device: what its choice depends on, besides wishes.
struct Case {
    const std::string& component;
    Dtype stored;
    const DeviceCapability& device;
    const ModelCard& card;

    Role role() const { return role_of(component); }
    bool is_native(Dtype dtype) const { return compute_support(device, dtype) == DtypeSupport::native; }
};

struct Choice {
    Dtype storage = at::kFloat;
    Dtype compute = at::kFloat;
    std::string reason;
    QuantizedWeights quantized = QuantizedWeights::upcast;
};

/// float8, or GGUF's blocks of bytes.
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
    return hardware_words(device) + (faulty.empty() ? "" : ", which failed the canary in " + faulty + ",");
}

Dtype training_dtype(const ModelCard& card) {
    if (card.training_dtype == "float16") return at::kHalf;
    return card.training_dtype == "float32" ? at::kFloat : at::kBFloat16;
}

/// 16 bits for weights that are multiplied in float32: as stored, or as trained where the file is wider, so that no
/// value leaves its range (a bfloat16 weight need not fit float16).
Dtype compact_storage(const Case& c) {
    const Dtype half = c.stored == at::kHalf || c.stored == at::kBFloat16 ? c.stored : training_dtype(c.card);
    return can_store(c.device, half) ? half : at::kFloat;
}

bool stays_float32(const Case& c) {
    return c.role() == Role::image_encoder || std::ranges::count(c.card.float32_names, c.component) > 0;
}

Choice automatic_vae(const Case& c) {
    const Dtype own = parse_dtype(c.card.vae_dtype).value_or(at::kFloat);
    if (own != at::kFloat && c.device.kind == DeviceKind::cuda && c.is_native(own))
        return {own, own,
                dtype_name(own) + ": this model's decoder bears it, and it is native on " + device_words(c.device)};
    return {at::kFloat, at::kFloat, "float32: the decoder loses visible quality below it, or its range"};
}

Choice float32_on_compact_weights(const Case& c) {
    const Dtype storage = compact_storage(c);
    return {storage, at::kFloat,
            "float32 on " + dtype_name(storage) + " weights: " + device_words(c.device) + " has no fast bfloat16" +
                (c.card.fp16_safe && c.is_native(at::kHalf) ? "" : ", and float16 is no safe range here")};
}

Choice automatic(const Case& c) {
    if (c.device.kind == DeviceKind::cpu)
        return {at::kFloat, at::kFloat, "float32: the exact choice on " + device_words(c.device)};
    if (stays_float32(c)) return {at::kFloat, at::kFloat, "float32: small beside the denoiser, and sensitive"};
    if (c.role() == Role::vae) return automatic_vae(c);
    if (c.is_native(at::kBFloat16))
        return {at::kBFloat16, at::kBFloat16, "bfloat16: native on " + device_words(c.device)};
    if (c.role() == Role::denoiser && c.card.fp16_safe && c.is_native(at::kHalf))
        return {at::kHalf, at::kHalf,
                "float16: this model bears its range, and it is native on " + device_words(c.device)};
    return float32_on_compact_weights(c);
}

/// What there is to know about a dtype that was asked for and can be had.
std::string caveat(const Case& c, Dtype dtype) {
    if (compute_support(c.device, dtype) == DtypeSupport::emulated)
        return is_turing_without_tensor_cores(c.device)
                   ? ", though cards of this kind are known to make NaN in it; the guard watches"
                   : ", though " + device_words(c.device) + " only emulates it, slowly";
    const bool leaves_range = dtype == at::kHalf && c.role() == Role::denoiser && !c.card.fp16_safe;
    return leaves_range ? ", though this model can leave its range; the guard raises what overflows" : "";
}

enum class Insistence { none, device_named };

[[noreturn]] void refuse(const Case& c, Dtype dtype) {
    throw Error(ErrorCode::unsupported,
                c.component + " was asked to run in " + dtype_name(dtype) + " on " + device_id(c.device) + ", and " +
                    device_words(c.device) + " has none",
                "Use --dtype auto, or --device auto.", {{"component", c.component}, {"device", device_id(c.device)}});
}

Choice with_compute_wish(Choice choice, const Case& c, const std::string& wish, Insistence insistence) {
    const auto dtype = parse_compute_dtype(wish);
    if (!dtype) return choice;
    if (compute_support(c.device, *dtype) != DtypeSupport::none)
        return {*dtype, *dtype, dtype_name(*dtype) + ": asked for" + caveat(c, *dtype)};
    if (insistence == Insistence::device_named) refuse(c, *dtype);
    const Dtype storage = compact_storage(c);
    return {
        storage, at::kFloat,
        "float32 in place of " + dtype_name(*dtype) + ", which was asked for: " + device_words(c.device) + " has none"};
}

/// A file is quantised for the sake of memory: in float32 it would take four to eight times as much.
Choice with_quantized_weights(Choice choice, const Case& c, const std::string& wish) {
    const bool is_large = c.role() == Role::denoiser || c.role() == Role::text_encoder;
    const bool is_kept = wish == "auto" || wish == "fp8" || wish == "gguf";
    if (!is_quantized(c.stored) || !is_large || !is_kept || !can_store(c.device, c.stored)) return choice;
    choice.quantized = QuantizedWeights::keep;
    choice.reason += "; quantised weights stay as the file holds them and are widened for each product";
    return choice;
}

std::optional<Dtype> parse_storage(const std::string& wish) {
    if (wish == "fp8") return at::kFloat8_e4m3fn;
    return wish == "int8" ? std::optional<Dtype>(at::kChar) : parse_compute_dtype(wish);
}

/// How a device multiplies weights that are kept as chosen.
std::string multiplication_words(const Case& c, const Choice& choice) {
    if (compute_support(c.device, choice.storage) == DtypeSupport::none)
        return ", storage only: " + device_words(c.device) + " multiplies none";
    if (choice.storage == at::kChar && choice.compute == at::kFloat)
        return ": the layers of its blocks multiply int8 by int8, each row rounded by a scale of its own";
    return "";
}

Choice with_storage_wish(Choice choice, const Case& c, const std::string& wish, Insistence insistence) {
    const auto dtype = parse_storage(wish);
    if (c.role() != Role::denoiser) return choice;
    if (wish == "gguf" && c.stored != at::kByte)
        choice.reason += "; storage gguf was asked for, and the file holds no such blocks";
    if (!dtype) return choice;
    if (can_store(c.device, *dtype)) {
        choice.storage = *dtype;
        choice.reason += "; weights kept in " + dtype_name(*dtype) + " as asked for" + multiplication_words(c, choice);
        return choice;
    }
    if (insistence == Insistence::device_named) refuse(c, *dtype);
    choice.storage = compact_storage(c);
    choice.reason += "; weights kept in " + dtype_name(choice.storage) + " in place of " + dtype_name(*dtype) +
                     ", which was asked for: " + device_words(c.device) + " has none";
    return choice;
}

/// The request's wish about a component; the image encoder has none.
std::string wish_about(Role role, const PrecisionWish& wish) {
    switch (role) {
        case Role::denoiser:
            return wish.dtype;
        case Role::text_encoder:
            return wish.text_encoder_dtype;
        case Role::vae:
            // Its digits are enough for frames, and its range is watched; bfloat16's digits are not.
            return wish.vae_dtype == "auto" && wish.dtype == "fp16" ? wish.dtype : wish.vae_dtype;
        case Role::image_encoder:
            break;
    }
    return "auto";
}

/// What at::scaled_dot_product_attention takes, cuDNN's being switched off.
std::string attention_backend(const DeviceCapability& device, Dtype compute) {
    switch (device.kind) {
        case DeviceKind::cuda:
            return device.compute_major >= 8 && compute != at::kFloat ? "flash" : "memory-efficient";
        case DeviceKind::mps:
            return "scaled_dot_product (MPS)";
        case DeviceKind::cpu:
            break;
    }
    return "flash (CPU)";
}

ComponentChoice choose(const Case& c, const PrecisionWish& wish) {
    const std::string requested = wish_about(c.role(), wish);
    const auto insistence = wish.device == "auto" ? Insistence::none : Insistence::device_named;
    Choice choice = with_compute_wish(automatic(c), c, requested, insistence);
    choice = with_storage_wish(std::move(choice), c, wish.storage, insistence);
    choice = with_quantized_weights(std::move(choice), c, wish.storage);
    return {.precision = {.device = Device(device_id(c.device)),
                          .storage = choice.storage,
                          .compute = choice.compute,
                          .quantized = choice.quantized},
            .attention = attention_backend(c.device, choice.compute),
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

ComputePolicy resolve_compute_policy(const PrecisionWish& wish, const StoredDtypes& stored,
                                     const DeviceCapability& device, const ModelCard& card) {
    ComputePolicy policy;
    for (const auto& [name, format] : stored)
        policy.components[name] =
            choose({.component = name, .stored = format.dtype, .device = device, .card = card}, wish);
    return policy;
}

PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation) {
    const auto row = [&](const std::string& name, const ComponentChoice& choice, const StoredFormat& stored_format) {
        return ComponentPolicy{.component = name,
                               .stored = stored_format.name(),
                               .storage = choice.precision.quantized == QuantizedWeights::keep
                                              ? stored_format.name()
                                              : dtype_name(choice.precision.storage),
                               .compute = dtype_name(choice.precision.compute),
                               .accumulation = accumulation,
                               .attention = choice.attention,
                               .device = choice.precision.device.str(),
                               .requested = choice.requested,
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
            .compute_dtype = dtype_name(choice.compute),
            .reason = choice.reason,
            .driver = device.driver,
            .unusable = device.unusable};
}

}  // namespace kinescope
