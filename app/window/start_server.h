#pragma once

#include <QLocalServer>
#include <QObject>
#include <memory>
#include <utility>

#include "app/window/options.h"
#include "core/base/local_socket.h"

class QLocalSocket;

namespace kinescope {

/// Listens for further starts of the program, which hand over what they were to open.
class StartServer : public QObject {
    Q_OBJECT

public:
    explicit StartServer(QObject* parent = nullptr);

    /// Listens at a path that only this user can reach. Replaces the socket of a window that was killed. Returns false
    /// if that is not possible.
    bool listen(const QString& socket);
    void close() { server_.close(); }
    /// Keeps a lock as long as this object exists.
    void hold(std::unique_ptr<FileLock> lock) { lock_ = std::move(lock); }

Q_SIGNALS:
    void startRequested(const kinescope::WindowOptions& options);

private:
    void welcome();
    void read(QLocalSocket* caller);

    QLocalServer server_;
    std::unique_ptr<FileLock> lock_;
};

}  // namespace kinescope
