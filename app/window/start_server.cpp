#include "app/window/start_server.h"

#include <QLocalSocket>
#include <QTimer>

#include "app/window/start_message.h"

namespace kinescope {
namespace {

constexpr int kMostCallers = 16;
constexpr int kMillisecondsToCall = 5'000;  ///< for a whole message

}  // namespace

StartServer::StartServer(QObject* parent) : QObject(parent) {
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    server_.setMaxPendingConnections(kMostCallers);
    connect(&server_, &QLocalServer::newConnection, this, &StartServer::welcome);
}

bool StartServer::listen(const QString& socket) {
    QLocalServer::removeServer(socket);
    return server_.listen(socket);
}

void StartServer::welcome() {
    while (QLocalSocket* caller = server_.nextPendingConnection()) {
        caller->setReadBufferSize(kMostStartBytes + 1);
        connect(caller, &QLocalSocket::disconnected, caller, &QObject::deleteLater);
        connect(caller, &QLocalSocket::readyRead, this, [this, caller] { read(caller); });
        QTimer::singleShot(kMillisecondsToCall, caller, &QLocalSocket::abort);
        read(caller);
    }
}

void StartServer::read(QLocalSocket* caller) {
    const bool isTooLong = caller->bytesAvailable() > kMostStartBytes;
    if (!isTooLong && !caller->canReadLine()) return;
    caller->disconnect(this);                                                 // one message for each connection
    const bool hasGivenUp = caller->state() != QLocalSocket::ConnectedState;  // it has told the user so
    const auto options = isTooLong || hasGivenUp ? std::nullopt : readStartMessage(caller->readLine());
    caller->write(answerMessage(options ? StartAnswer::accepted : StartAnswer::refused));
    caller->flush();
    caller->disconnectFromServer();
    if (options) Q_EMIT startRequested(*options);
}

}  // namespace kinescope
