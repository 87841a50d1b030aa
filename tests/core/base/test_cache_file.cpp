#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <thread>

#include "core/api/error.h"
#include "core/base/cache_file.h"

using namespace kinescope;

namespace {

namespace fs = std::filesystem;

struct Measurement {
    int value = 0;
    bool operator==(const Measurement&) const = default;
};

}  // namespace

namespace kinescope {

template <>
struct CacheFormat<Measurement> {
    static Json write(const Measurement& one) { return {{"value", one.value}}; }
    static Measurement read(const Json& json) { return {json.at("value").get<int>()}; }
};

}  // namespace kinescope

class TestCacheFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    fs::path file(const char* name) const { return folder_.filePath(name).toStdString(); }
    static void write(const fs::path& file, const char* text) { std::ofstream(file) << text; }

private Q_SLOTS:
    void entries_round_trip() {
        const CacheFile<Measurement> cache(file("new/folder/cache.json"));
        QVERIFY(!cache.find("a"));
        cache.put("a", {1});
        cache.put("b", {2});
        cache.put("a", {3});
        const CacheFile<Measurement> again(file("new/folder/cache.json"));
        QCOMPARE(again.find("a")->value, 3);
        QCOMPARE(again.find("b")->value, 2);
        QVERIFY(!again.find("c"));
        QCOMPARE(again.entries().size(), std::size_t{2});
    }

    void an_update_receives_the_current_entry() {
        const CacheFile<Measurement> cache(file("change.json"));
        const auto add = [](const std::optional<Measurement>& known) {
            return std::optional(Measurement{known.value_or(Measurement()).value + 1});
        };
        for (int i = 0; i < 3; ++i) cache.update("a", add);
        QCOMPARE(cache.find("a")->value, 3);
        cache.update("a", [](const std::optional<Measurement>&) { return std::optional<Measurement>(); });
        QCOMPARE(cache.find("a")->value, 3);
    }

    void the_oldest_entries_are_dropped() {
        const CacheFile<Measurement> cache(file("bounded.json"), {.max_entries = 3});
        for (int i = 0; i < 5; ++i) cache.put(std::to_string(i), {i});
        cache.put("2", {22});
        cache.put("5", {5});
        QVERIFY(!cache.find("0") && !cache.find("3"));
        QCOMPARE(cache.find("2")->value, 22);
        QCOMPARE(cache.entries().size(), std::size_t{3});
    }

    void files_of_older_programs_are_read_and_converted() {
        write(file("object.json"), R"({"a": {"value": 7}, "b": {"value": "damaged"}})");
        const CacheFile<Measurement> from_object(file("object.json"));
        QCOMPARE(from_object.find("a")->value, 7);
        QVERIFY(!from_object.find("b"));
        from_object.put("c", {8});
        QCOMPARE(from_object.find("a")->value, 7);
        QCOMPARE(from_object.find("c")->value, 8);

        write(file("array.json"), R"([{"value": 7}, {"value": 8}, 3])");
        const CacheFile<Measurement> from_array(file("array.json"), {.name_of_array_entry = [](const Json& json) {
                                                    return json.is_object() ? json.at("value").dump() : std::string();
                                                }});
        QCOMPARE(from_array.entries().size(), std::size_t{2});
        QCOMPARE(from_array.find("8")->value, 8);
    }

    void damaged_files_count_as_missing_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << QByteArray("{\"version\": 1, \"entries\": [{\"name\": \"a\", \"val");
        QTest::newRow("another version") << QByteArray(R"({"version": 99, "entries": [{"name": "a", "value": 1}]})");
        QTest::newRow("missing entries") << QByteArray(R"({"version": 1})");
        QTest::newRow("entries of another type") << QByteArray(R"({"version": 1, "entries": {"a": 1}})");
        QTest::newRow("an entry without a name") << QByteArray(R"({"version": 1, "entries": [{"value": 1}, 4]})");
        QTest::newRow("a damaged value") << QByteArray(R"({"version": 1, "entries": [{"name": "a", "value": []}]})");
        QTest::newRow("a number") << QByteArray("17");
        QTest::newRow("deeply nested") << QByteArray(100000, '[');
    }
    void damaged_files_count_as_missing() {
        QFETCH(QByteArray, text);
        write(file("damaged.json"), text);
        const CacheFile<Measurement> cache(file("damaged.json"));
        QVERIFY(!cache.find("a"));
        QVERIFY(cache.entries().empty());
        cache.put("a", {1});
        QCOMPARE(cache.find("a")->value, 1);
    }

    /// Each object opens the lock file separately, like another process.
    void concurrent_changes_are_not_lost() {
        constexpr int kThreads = 4, kChanges = 25;
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; ++i)
            threads.emplace_back([&] {
                const CacheFile<Measurement> cache(file("shared.json"));
                for (int k = 0; k < kChanges; ++k)
                    cache.update("sum", [](const std::optional<Measurement>& known) {
                        return std::optional(Measurement{known.value_or(Measurement()).value + 1});
                    });
            });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(CacheFile<Measurement>(file("shared.json")).find("sum")->value, kThreads * kChanges);
    }

    void a_removed_file_is_empty() {
        const CacheFile<Measurement> cache(file("removed.json"));
        cache.put("a", {1});
        cache.remove();
        QVERIFY(!fs::exists(file("removed.json")));
        QVERIFY(!cache.find("a"));
        cache.remove();
    }

    void a_folder_in_the_way_is_an_error() {
        fs::create_directories(file("folder.json") / "child");
        const CacheFile<Measurement> cache(file("folder.json"));
        QVERIFY_THROWS_EXCEPTION(Error, cache.put("a", {1}));
        QVERIFY_THROWS_EXCEPTION(Error, cache.remove());
    }
};

QTEST_GUILESS_MAIN(TestCacheFile)
#include "test_cache_file.moc"
