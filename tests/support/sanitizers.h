#pragma once

namespace kinescope::testing {

/// True in a build with AddressSanitizer, which delays the release of memory and reserves address space.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

}  // namespace kinescope::testing
