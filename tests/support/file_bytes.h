#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kinescope::testing {

/// Returns the contents of a file, or nothing if it cannot be read.
inline QByteArray bytes_of(const QString& file) {
    QFile stream(file);
    return stream.open(QIODevice::ReadOnly) ? stream.readAll() : QByteArray();
}

/// The same for a file that must have been written. The test fails if it is missing or empty.
inline QByteArray written_bytes_of(const QString& file) {
    const QByteArray bytes = bytes_of(file);
    [&] { QVERIFY2(!bytes.isEmpty(), qPrintable(file)); }();
    return bytes;
}

/// Like bytes_of() for the types of the standard library.
inline std::string contents_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace kinescope::testing
