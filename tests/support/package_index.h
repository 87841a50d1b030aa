#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <string>

namespace kinescope::testing {

/// Runs tests/core/gpu_support/package_index.py, which creates two small wheels and serves them.
class PackageIndex {
public:
    /// Returns false if Python does not start.
    bool start(const QStringList& arguments = {}) {
        server_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        server_.start("python3", QStringList{"-B", KINESCOPE_SOURCE_DIR "/tests/core/gpu_support/package_index.py",
                                             folder_.path()} +
                                     arguments);
        if (!server_.waitForStarted() || !server_.waitForReadyRead()) return false;
        port_ = server_.readLine().trimmed().toStdString();
        return !port_.empty();
    }
    ~PackageIndex() {
        server_.kill();
        server_.waitForFinished();
    }

    QString file(const QString& name) const { return folder_.filePath(name); }
    std::string base(const std::string& behavior) const { return "http://127.0.0.1:" + port_ + "/" + behavior; }
    /// Returns the URL of a package index that simulates `behavior`.
    std::string index(const std::string& behavior) const { return base(behavior) + "/simple"; }
    /// Sends the last bytes of files that /held/ keeps back.
    void release() { server_.write("\n"); }
    /// Returns the requests for files since the last call of this function.
    QByteArray take_requests() {
        QFile log(file("requests.txt"));
        const QByteArray text = log.open(QIODevice::ReadOnly) ? log.readAll() : QByteArray();
        log.close();
        log.remove();
        return text;
    }

private:
    QTemporaryDir folder_;
    QProcess server_;
    std::string port_;
};

}  // namespace kinescope::testing
