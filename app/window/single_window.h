#pragma once

#include <filesystem>

#include "app/window/options.h"
#include "app/window/start_server.h"

namespace kinescope {

/// Where the window of a state folder can be reached.
struct WindowPlace {
    std::filesystem::path folder;  ///< only this user can use it
    std::string name;              ///< of the state folder, as a hash
    std::filesystem::path state;   ///< the state folder
};

/// Returns the place of the window of this user's state folder, see user_dirs(). It is below $XDG_RUNTIME_DIR or, if
/// that is not set, in the temporary folder: a socket needs a short path on a local disk.
WindowPlace windowPlace();

/// What becomes of a start of the program.
enum class Start {
    first,       ///< it opens the window, which the server can be reached by
    handedOver,  ///< the window that is open opens the files
    refused,     ///< by that window, which is of another version
    noAnswer,    ///< of that window
    alone        ///< it opens a window that further starts cannot reach
};

/// Hands a start over to the window that is open, or makes `server` listen for further starts.
Start beginStart(const WindowPlace& place, const WindowOptions& options, StartServer& server);

/// What the user reads about a start that opens no window. Empty for other starts.
QString startProblem(Start start);

}  // namespace kinescope
