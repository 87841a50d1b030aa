#include "app/window/single_window.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QLocalSocket>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "app/window/start_message.h"
#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/environment.h"
#include "core/base/local_socket.h"
#include "core/base/sha256.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr int kSecondsToAnswer = 20;  ///< a window that is still starting may answer late

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(SingleWindow)
};

void warnOf(const std::exception& error) {
    std::fprintf(stderr, "warning: %s\n", error.what());
}

/// The result of a call to the window at a socket.
enum class Call { accepted, refused, noAnswer, noWindow };

bool isNobody(QLocalSocket::LocalSocketError error) {
    return error == QLocalSocket::ServerNotFoundError || error == QLocalSocket::ConnectionRefusedError;
}

/// Waits for one line.
Call answerAt(QLocalSocket& socket, const QDeadlineTimer& deadline) {
    while (!socket.canReadLine()) {
        if (socket.bytesAvailable() >= kMostAnswerBytes) return Call::refused;
        const bool isConnected = socket.state() == QLocalSocket::ConnectedState;
        if (socket.waitForReadyRead(static_cast<int>(deadline.remainingTime()))) continue;
        // The window ended: it was closed or killed.
        if (!isConnected || socket.error() == QLocalSocket::PeerClosedError) return Call::noWindow;
        return Call::noAnswer;
    }
    return readAnswer(socket.readLine(kMostAnswerBytes)) == StartAnswer::accepted ? Call::accepted : Call::refused;
}

Call callWindow(const QString& name, const QByteArray& message) {
    const QDeadlineTimer deadline(std::chrono::seconds{kSecondsToAnswer});
    QLocalSocket socket;
    socket.setReadBufferSize(kMostAnswerBytes);
    socket.connectToServer(name);
    if (!socket.waitForConnected(static_cast<int>(deadline.remainingTime())))
        return isNobody(socket.error()) ? Call::noWindow : Call::noAnswer;
    socket.write(message);
    return answerAt(socket, deadline);
}

Start startOf(Call call) {
    if (call == Call::accepted) return Start::handedOver;
    return call == Call::refused ? Start::refused : Start::noAnswer;
}

/// Makes sure that a state folder has one window, also if one of two starts lacks $XDG_RUNTIME_DIR. Throws
/// Error(engine_lost) if a window has the folder, or Error(output_not_writable).
void takeStateFolder(const WindowPlace& place, StartServer& server) {
    constexpr double kSecondsOfEnd = 2;  // a window that is being closed
    fs::create_directories(place.state);
    server.hold(std::make_unique<FileLock>(place.state / "window.lock", kSecondsOfEnd));
}

/// Returns true for a folder that only this user can use; a socket elsewhere may be anybody's. Otherwise prints a
/// warning.
bool isPrivate(const fs::path& folder) {
    try {
        make_private_folder(folder);
        return true;
    } catch (const Error& error) {
        warnOf(error);
        return false;
    }
}

Start callOrListen(const WindowPlace& place, const QByteArray& message, StartServer& server) {
    const fs::path socket = place.folder / (place.name + ".sock");
    const QString name = QString::fromStdU16String(socket.u16string());
    Call call = callWindow(name, message);
    if (call != Call::noWindow) return startOf(call);
    const FileLock onlyOneStarts(place.folder / (place.name + ".lock"), kSecondsToAnswer);
    call = callWindow(name, message);
    if (call != Call::noWindow) return startOf(call);
    takeStateFolder(place, server);
    return server.listen(name) ? Start::first : Start::alone;
}

/// Returns the runtime folder of the user, which is deleted at logout, or an empty path if there is none.
fs::path sessionFolder() {
    // A start from a script or over ssh may lack the variable.
    const std::string named = environment_variable("XDG_RUNTIME_DIR");
    const fs::path folder = named.empty() ? fs::path("/run/user") / user_id() : fs::path(named);
    std::error_code ignored;
    return folder.is_absolute() && fs::is_directory(folder, ignored) ? folder : fs::path();
}

}  // namespace

WindowPlace windowPlace() {
    constexpr std::size_t kLength = 16;
    std::error_code ignored;
    const fs::path state = fs::weakly_canonical(user_dirs().state, ignored);
    const fs::path session = sessionFolder();
    return {.folder = session.empty() ? fs::temp_directory_path(ignored) / ("kinescope-window-" + user_id())
                                      : session / "kinescope",
            .name = sha256_of(state.string()).substr(0, kLength),
            .state = state};
}

Start beginStart(const WindowPlace& place, const WindowOptions& options, StartServer& server) {
    const QByteArray message = startMessage(options);
    if (message.size() > kMostStartBytes) return Start::refused;
    try {
        if (isPrivate(place.folder)) return callOrListen(place, message, server);
        takeStateFolder(place, server);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::engine_lost) return Start::noAnswer;  // another start or window holds a lock
        warnOf(error);
    } catch (const fs::filesystem_error& error) {
        warnOf(error);
    }
    return Start::alone;
}

QString startProblem(Start start) {
    switch (start) {
        case Start::refused:
            return Tr::tr(
                "Kinescope is already open, and its window did not accept these files. It may be of another version: "
                "close it, then start Kinescope again.");
        case Start::noAnswer:
            return Tr::tr(
                "Kinescope is already open, but its window does not answer. Wait a moment, or end it, then start "
                "Kinescope again.");
        case Start::first:
        case Start::handedOver:
        case Start::alone:
            break;
    }
    return {};
}

}  // namespace kinescope
