#include "core/device/dtype.h"

#include <limits>

#include "core/api/error.h"

namespace kinescope {

std::string dtype_name(Dtype dtype) {
    switch (dtype) {
        case at::kDouble:
            return "float64";
        case at::kFloat:
            return "float32";
        case at::kBFloat16:
            return "bfloat16";
        case at::kHalf:
            return "float16";
        case at::kFloat8_e4m3fn:
            return "float8_e4m3fn";
        case at::kFloat8_e5m2:
            return "float8_e5m2";
        case at::kLong:
            return "int64";
        case at::kInt:
            return "int32";
        case at::kShort:
            return "int16";
        case at::kChar:
            return "int8";
        case at::kByte:
            return "uint8";
        case at::kBool:
            return "bool";
        default:
            return c10::toString(dtype);
    }
}

ElementType element_type(Dtype dtype) {
    switch (dtype) {
        case at::kDouble:
            return ElementType::float64;
        case at::kFloat:
            return ElementType::float32;
        case at::kBFloat16:
            return ElementType::bfloat16;
        case at::kHalf:
            return ElementType::float16;
        case at::kFloat8_e4m3fn:
            return ElementType::float8_e4m3fn;
        case at::kFloat8_e5m2:
            return ElementType::float8_e5m2;
        case at::kChar:
            return ElementType::int8;
        default:
            throw Error(ErrorCode::internal, "no op computes in " + dtype_name(dtype));
    }
}

std::optional<Dtype> parse_dtype(std::string_view name) {
    for (const Dtype dtype : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble, at::kFloat8_e4m3fn, at::kFloat8_e5m2})
        if (dtype_name(dtype) == name) return dtype;
    return std::nullopt;
}

std::optional<Dtype> dtype_of(DtypeChoice choice) {
    switch (choice) {
        case DtypeChoice::fp32:
            return at::kFloat;
        case DtypeChoice::bf16:
            return at::kBFloat16;
        case DtypeChoice::fp16:
            return at::kHalf;
        case DtypeChoice::fp8:
            return at::kFloat8_e4m3fn;
        case DtypeChoice::int8:
            return at::kChar;
        case DtypeChoice::automatic:
        case DtypeChoice::gguf:
            break;
    }
    return std::nullopt;
}

double dtype_max(Dtype dtype) {
    switch (dtype) {
        case at::kHalf:
            return 65504.0;
        case at::kBFloat16:
            return 3.3895313892515355e38;
        case at::kFloat8_e4m3fn:
            return 448.0;
        case at::kFloat8_e5m2:
            return 57344.0;
        case at::kDouble:
            return std::numeric_limits<double>::max();
        default:
            return std::numeric_limits<float>::max();
    }
}

}  // namespace kinescope
