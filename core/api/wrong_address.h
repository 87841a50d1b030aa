#pragma once

namespace kinescope {

/// The argument "cause" of the Error(file_unreadable) of a download, which has the argument "url": the address is wrong
/// or has nothing for Kinescope, so that another try fails, too. Without it, the network or the server failed.
inline constexpr const char* kWrongAddress = "wrong_address";

}  // namespace kinescope
