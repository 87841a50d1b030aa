#pragma once

#include "core/base/cpu_vectors.h"

namespace kinescope {

/// Transposes a kLanes x kLanes matrix in place, by interleaving its first half with its second half four times.
[[gnu::always_inline]] inline void transpose_lanes(FloatLanes* rows) {
    static_assert(kLanes == 16);
    FloatLanes laced[kLanes];
    for (int turn = 0; turn < 4; ++turn) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
            laced[2 * i] =
                __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            laced[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                       29, 14, 30, 15, 31);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) rows[i] = laced[i];
    }
}

}  // namespace kinescope
