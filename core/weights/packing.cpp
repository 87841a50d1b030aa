#include "core/weights/packing.h"

namespace kinescope {

BlockSize block_size(Packing packing) {
    switch (packing) {
        case Packing::none:
            return {1, 1};
        case Packing::q4_0:
            return {32, 18};
        case Packing::q4_1:
            return {32, 20};
        case Packing::q5_0:
            return {32, 22};
        case Packing::q5_1:
            return {32, 24};
        case Packing::q8_0:
            return {32, 34};
        case Packing::q4_k:
            return {256, 144};
        case Packing::q5_k:
            return {256, 176};
        case Packing::q6_k:
            return {256, 210};
    }
    return {};
}

std::string packing_name(Packing packing) {
    switch (packing) {
        case Packing::none:
            return "";
        case Packing::q4_0:
            return "gguf q4_0";
        case Packing::q4_1:
            return "gguf q4_1";
        case Packing::q5_0:
            return "gguf q5_0";
        case Packing::q5_1:
            return "gguf q5_1";
        case Packing::q8_0:
            return "gguf q8_0";
        case Packing::q4_k:
            return "gguf q4_k";
        case Packing::q5_k:
            return "gguf q5_k";
        case Packing::q6_k:
            return "gguf q6_k";
    }
    return "";
}

}  // namespace kinescope
