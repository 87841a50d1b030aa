#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/media/content_stamp.h"

using namespace kinescope;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text, std::chrono::seconds after) {
    std::ofstream(file) << text;
    fs::last_write_time(file, fs::file_time_type::clock::now() + after);
}

}  // namespace

class TestContentStamp : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void other_contents_of_the_same_size_are_found() {
        const QTemporaryDir folder;
        const fs::path clip = fs::path(folder.path().toStdString()) / "clip.mp4";
        write(clip, "before", std::chrono::seconds(0));
        const ContentStamp whole = content_stamp(clip), quick = quick_stamp(clip);
        QCOMPARE(quick.changed, whole.changed);
        QVERIFY(has_stamp(clip, whole));
        write(clip, "behind", std::chrono::seconds(2));
        QVERIFY(!has_stamp(clip, whole));
        QVERIFY(quick_stamp(clip).changed > quick.changed);
        write(clip, "before", std::chrono::seconds(4));
        QVERIFY(has_stamp(clip, whole));
    }
};

QTEST_GUILESS_MAIN(TestContentStamp)
#include "test_content_stamp.moc"
