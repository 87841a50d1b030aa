#pragma once

#include <filesystem>

#include "app/window/options.h"
#include "app/window/start_server.h"

namespace kinescope {

/// Where the window of a state folder can be reached.
struct WindowPlace {
    std::filesystem::path folder;  ///< only this user can use it
    std::string name;              ///< hash of the path of the state folder
    std::filesystem::path state;   ///< the state folder
};

/// Returns the place of the window of this user's state folder, see user_dirs(). It is below $XDG_RUNTIME_DIR or, if
/// that is not set, in the temporary folder: a socket needs a short path on a local disk.
WindowPlace windowPlace();

/// The outcome of a start of the program.
enum class Start {
    first,       ///< this process opens the window, and its server receives further starts
    handedOver,  ///< the window that is open opens the files
    refused,     ///< the window that is open refuses the files; it may be of another version
    noAnswer,    ///< the window that is open does not answer
    alone        ///< it opens a window that further starts cannot reach
};

/// Hands a start over to the window that is open, or makes `server` listen for further starts.
Start beginStart(const WindowPlace& place, const WindowOptions& options, StartServer& server);

/// What the user reads about a start that opens no window. Empty for other starts.
QString startProblem(Start start);

}  // namespace kinescope
