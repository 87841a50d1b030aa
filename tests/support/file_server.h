#pragma once

#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <functional>

namespace kinescope::testing {

/// A local server for one file. Passes each request to `answer`, which can simulate faults.
class FileServer : public QTcpServer {
public:
    struct Request {
        QString path;
        qint64 from = 0;             ///< from "Range: bytes=N-"; 0 requests the whole file
        int number = 0;              ///< number of the request, starting at 1
        QString authorization = {};  ///< the value of this header; empty: not sent
    };
    using Answer = std::function<void(QTcpSocket& socket, const Request& request)>;

    explicit FileServer(QByteArray content) : content_(std::move(content)) {
        listen(QHostAddress::LocalHost);
        answer = [this](QTcpSocket& socket, const Request& request) { serve(socket, request); };
        connect(this, &QTcpServer::newConnection, this, &FileServer::meet);
    }

    QUrl url(const QString& path = QStringLiteral("/model")) const {
        return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(serverPort()).arg(path));
    }
    const QByteArray& content() const { return content_; }

    static void send(QTcpSocket& socket, const QByteArray& head, const QByteArray& body) {
        socket.write("HTTP/1.1 " + head + "\r\nConnection: close\r\n\r\n" + body);
        socket.disconnectFromHost();
    }
    /// Sends the requested part of the file.
    void serve(QTcpSocket& socket, const Request& request) const { send(socket, head(request), body(request)); }
    /// Sends the correct headers and `bytes` bytes, then closes the connection.
    void cut(QTcpSocket& socket, const Request& request, qint64 bytes) const {
        send(socket, head(request), body(request).left(bytes));
    }
    /// Sends the correct headers and `bytes` bytes, then nothing more, but keeps the connection.
    void stall(QTcpSocket& socket, const Request& request, qint64 bytes) const {
        socket.write("HTTP/1.1 " + head(request) + "\r\n\r\n" + body(request).left(bytes));
    }
    QByteArray body(const Request& request) const { return content_.mid(request.from); }
    QByteArray head(const Request& request) const {
        const QByteArray length = "\r\nContent-Length: " + QByteArray::number(content_.size() - request.from);
        if (request.from == 0) return "200 OK" + length;
        return "206 Partial Content\r\nContent-Range: bytes " + QByteArray::number(request.from) + '-' +
               QByteArray::number(content_.size() - 1) + '/' + QByteArray::number(content_.size()) + length;
    }

    Answer answer;
    QList<Request> requests;

private:
    void meet() {
        while (QTcpSocket* socket = nextPendingConnection()) {
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { readRequest(*socket); });
        }
    }
    void readRequest(QTcpSocket& socket) {
        const QByteArray text = socket.peek(1 << 16);
        if (!text.contains("\r\n\r\n")) return;
        socket.readAll();
        static const QRegularExpression range(QStringLiteral("Range: bytes=(\\d+)-"),
                                              QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression login(QStringLiteral("\\r\\nAuthorization: ([^\\r]*)"),
                                              QRegularExpression::CaseInsensitiveOption);
        Request request{QString::fromLatin1(text.split(' ').value(1)),
                        range.match(QString::fromLatin1(text)).captured(1).toLongLong(),
                        static_cast<int>(requests.size()) + 1, login.match(QString::fromLatin1(text)).captured(1)};
        requests << request;
        answer(socket, request);
    }

    QByteArray content_;
};

}  // namespace kinescope::testing
