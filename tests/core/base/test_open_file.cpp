#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/base/open_file.h"

using namespace kinescope;

class TestOpenFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }
    static std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
    static std::string read_all(OpenFile& file) {
        std::array<std::byte, 16> buffer{};
        std::string text;
        for (std::int64_t count = 0; (count = file.read(buffer)) > 0;)
            text.append(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(count));
        return text;
    }

private Q_SLOTS:
    void an_existing_file_is_kept_or_refused() {
        OpenFile first;
        QCOMPARE(first.open(path("file"), OpenFile::Existing::refused), 0);
        QCOMPARE(first.write(bytes("contents")), 0);
        QCOMPARE(first.sync(), 0);
        QCOMPARE(first.close(), 0);
        QVERIFY(!first.is_open());

        OpenFile refused;
        QCOMPARE(refused.open(path("file"), OpenFile::Existing::refused), EEXIST);
        QVERIFY(!refused.is_open());
        OpenFile kept;
        QCOMPARE(kept.open(path("file"), OpenFile::Existing::kept), 0);
        QCOMPARE(read_all(kept), std::string("contents"));
    }

    void a_new_file_does_not_follow_a_link() {
        std::filesystem::create_symlink("target", path("link"));
        OpenFile file;
        QCOMPARE(file.open(path("link"), OpenFile::Existing::refused), EEXIST);
        QVERIFY(!std::filesystem::exists(path("target")));
    }

    void a_private_file_is_only_for_its_owner() {
        using std::filesystem::perms;
        OpenFile file;
        QCOMPARE(file.open(path("private"), OpenFile::Existing::refused, FileAccess::owner_only), 0);
        const perms all = std::filesystem::status(path("private")).permissions();
        QVERIFY((all & (perms::group_all | perms::others_all)) == perms::none);
    }

    void clear_removes_the_contents_and_returns_to_the_start() {
        OpenFile file;
        QCOMPARE(file.open(path("cleared"), OpenFile::Existing::refused), 0);
        QCOMPARE(file.write(bytes("long contents")), 0);
        QCOMPARE(file.size(), std::int64_t(13));
        QCOMPARE(file.clear(), 0);
        QCOMPARE(file.size(), std::int64_t(0));
        QCOMPARE(file.write(bytes("new")), 0);
        QCOMPARE(file.seek(0, SEEK_SET), std::int64_t(0));
        QCOMPARE(read_all(file), std::string("new"));
        QCOMPARE(file.seek(-1, SEEK_SET), std::int64_t(-EINVAL));
    }

    void errors_are_returned() {
        OpenFile file;
        QCOMPARE(file.open(path("missing/file"), OpenFile::Existing::kept), ENOENT);
        QCOMPARE(file.open(path(""), OpenFile::Existing::kept), EISDIR);
        QCOMPARE(file.open(path(std::string(256, 'a')), OpenFile::Existing::kept), ENAMETOOLONG);
        std::array<std::byte, 4> buffer{};
        QCOMPARE(file.read(buffer), std::int64_t(-EBADF));
        QCOMPARE(file.write(bytes("text")), EBADF);
        QCOMPARE(file.clear(), EBADF);
        QCOMPARE(file.sync(), EBADF);
    }
};

QTEST_GUILESS_MAIN(TestOpenFile)
#include "test_open_file.moc"
