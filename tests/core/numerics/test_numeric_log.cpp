#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/numerics/numeric_log.h"
#include "tests/support/file_bytes.h"
#include "tests/support/small_disk.h"

using namespace kinescope;
using testing::contents_of;

class TestNumericLog : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::vector<std::string> heard_;

    std::filesystem::path file(const char* name) const { return folder_.filePath(name).toStdString(); }
    NumericLog open(const char* json_lines, const char* csv, const LogLengths& kept = {}) {
        return {json_lines == nullptr ? std::filesystem::path() : file(json_lines),
                csv == nullptr ? std::filesystem::path() : file(csv), kept,
                [this](const std::string& words) { heard_.push_back(words); }};
    }

private Q_SLOTS:
    void init() { heard_.clear(); }

    void records_are_flushed_at_once() {
        NumericLog log = open("a.jsonl", "a.csv");
        log.write(Json{{"record", "header"}});
        QCOMPARE(contents_of(file("a.jsonl")), std::string("{\"record\":\"header\"}\n"));
        log.write({NumericSample{}, NumericSample{}});
        const std::string rows = contents_of(file("a.csv"));
        QVERIFY(rows.starts_with("phase,step,"));
        QCOMPARE(std::count(rows.begin(), rows.end(), '\n'), 3);
        QCOMPARE(log.lengths().csv, std::ssize(rows));
        QVERIFY(log.is_whole() && heard_.empty());
    }

    void values_that_are_not_finite_have_a_number_only_if_they_were_counted_data() {
        QTest::addColumn<TensorStats>("stats");
        QTest::addColumn<QByteArray>("nan");
        QTest::addColumn<QByteArray>("inf");
        const double nan = std::nan("");
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("none") << TensorStats{.count = 9, .min = -1, .max = 2} << QByteArray("0") << QByteArray("0");
        QTest::newRow("counted") << TensorStats{.count = 9, .min = -1, .max = 2, .nan = 1, .inf = 3} << QByteArray("1")
                                 << QByteArray("3");
        QTest::newRow("NaN") << TensorStats{.count = 9, .min = nan, .max = nan, .nan = 1} << QByteArray("null")
                             << QByteArray("null");
        QTest::newRow("Inf") << TensorStats{.count = 9, .min = -1, .max = inf, .inf = 1} << QByteArray("0")
                             << QByteArray("null");
        QTest::newRow("-Inf") << TensorStats{.count = 9, .min = -inf, .max = 2, .inf = 1} << QByteArray("0")
                              << QByteArray("null");
    }
    void values_that_are_not_finite_have_a_number_only_if_they_were_counted() {
        QFETCH(TensorStats, stats);
        QFETCH(QByteArray, nan);
        QFETCH(QByteArray, inf);
        const NumericSample sample{.stats = stats};
        QCOMPARE(QByteArray::fromStdString(stat_record(sample).at("nan").dump()), nan);
        QCOMPARE(QByteArray::fromStdString(stat_record(sample).at("inf").dump()), inf);
        const QByteArray name = QByteArray(QTest::currentDataTag()) + ".csv";
        open(nullptr, name).write({sample});
        const QByteArray row = QByteArray::fromStdString(contents_of(file(name))).split('\n').at(1);
        const auto cell = [](const QByteArray& value) { return value == "null" ? QByteArray() : value; };
        QCOMPARE(row.split(',').at(13), cell(nan));
        QCOMPARE(row.split(',').at(14), cell(inf));
    }

    void without_a_path_nothing_is_written() {
        NumericLog log = open(nullptr, nullptr);
        log.write(Json{{"record", "header"}});
        log.write({NumericSample{}});
        QCOMPARE(log.lengths().json_lines, 0);
        QVERIFY(log.is_whole());
    }

    void a_resumed_log_keeps_its_first_part() {
        std::ofstream(file("b.jsonl")) << "{\"a\":1}\n{\"b\":2}\n";
        NumericLog log = open("b.jsonl", nullptr, {.json_lines = 8, .csv = 0});
        log.write(Json{{"c", 3}});
        QCOMPARE(contents_of(file("b.jsonl")), std::string("{\"a\":1}\n{\"c\":3}\n"));
        QCOMPARE(log.lengths().json_lines, 16);
    }

    void only_the_log_of_the_same_run_is_continued_data() {
        QTest::addColumn<QByteArray>("before");  // the files when the run continues
        QTest::addColumn<bool>("overwrite");
        QTest::addColumn<bool>("is_refused");
        QTest::addColumn<int>("records");  // of the log that the run finds; the header is one of them
        const QByteArray own = "{\"run\":1}\n{\"a\":1}\n";
        QTest::newRow("its own") << own << false << false << 2;
        QTest::newRow("its own, killed later") << own + "{\"b\":2}\n" << false << false << 2;
        QTest::newRow("its own, cut by a power failure") << own.first(12) << false << false << 0;
        QTest::newRow("empty") << QByteArray() << false << false << 0;
        QTest::newRow("of another run") << QByteArray("{\"run\":2}\n{\"a\":1}\n{\"b\":2}\n") << false << true << 0;
        QTest::newRow("short, of another run") << QByteArray("mine") << false << true << 0;
        QTest::newRow("of another run, overwrite") << QByteArray("{\"run\":2}\n{\"a\":1}\n") << true << false << 0;
    }
    void only_the_log_of_the_same_run_is_continued() {
        QFETCH(QByteArray, before);
        QFETCH(bool, overwrite);
        QFETCH(bool, is_refused);
        QFETCH(int, records);
        std::filesystem::remove(file("k.jsonl"));
        LogLengths kept;
        {
            NumericLog first = open("k.jsonl", nullptr);
            first.write(Json{{"run", 1}});
            first.write(Json{{"a", 1}});
            kept = first.lengths();
        }
        std::ofstream(file("k.jsonl")) << before.toStdString();
        const auto mode = overwrite ? OverwriteMode::overwrite : OverwriteMode::refuse;
        if (is_refused) {
            try {
                NumericLog(file("k.jsonl"), {}, kept, {}, mode);
                QFAIL("no error was thrown");
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::output_exists);
            }
            QCOMPARE(contents_of(file("k.jsonl")), before.toStdString());
            return;
        }
        NumericLog log(file("k.jsonl"), {}, kept, {}, mode);
        const std::string text = contents_of(file("k.jsonl"));
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{records});
        QCOMPARE(log.lengths().json_lines, records == 0 ? std::int64_t{0} : kept.json_lines);
        log.write(Json{{"run", 1}});
        QCOMPARE(log.lengths().json_lines_head.hash, kept.json_lines_head.hash);
    }

    void only_the_rows_of_the_same_run_are_continued() {
        LogLengths kept;
        {
            NumericLog first = open(nullptr, "k.csv");
            first.write({NumericSample{.step = 1}});
            kept = first.lengths();
            first.write({NumericSample{.step = 2}});
        }
        const std::string own = contents_of(file("k.csv"));
        {
            NumericLog again = open(nullptr, "k.csv", kept);
            QCOMPARE(again.lengths().csv, kept.csv);
            again.write({NumericSample{.step = 2}});
        }
        QCOMPARE(contents_of(file("k.csv")), own);
        std::filesystem::remove(file("k.csv"));
        {
            NumericLog other = open(nullptr, "k.csv");
            other.write({NumericSample{.step = 7}, NumericSample{.step = 8}});
        }
        const std::string others = contents_of(file("k.csv"));
        QVERIFY_THROWS_EXCEPTION(Error, open(nullptr, "k.csv", kept));
        QCOMPARE(contents_of(file("k.csv")), others);
    }

    void a_full_disk_ends_the_log_after_its_last_whole_record() {
        NumericLog log = open("c.jsonl", "c.csv");
        log.write(Json{{"record", "header"}});
        {
            const testing::SmallDisk disk(30);
            log.write(Json{{"record", "a record that does not fit any more"}});
        }
        log.write(Json{{"record", "later"}});
        log.write({NumericSample{}});
        QCOMPARE(contents_of(file("c.jsonl")), std::string("{\"record\":\"header\"}\n"));
        QVERIFY(!log.is_whole());
        QCOMPARE(log.lengths().json_lines, 20);
        QCOMPARE(heard_.size(), std::size_t{1});
        QVERIFY2(heard_[0].find("c.jsonl' ends early: ") != std::string::npos, heard_[0].c_str());
        QVERIFY2(heard_[0].find("limited to 30 B (ulimit -f)") != std::string::npos, heard_[0].c_str());
        QVERIFY(contents_of(file("c.csv")).find('\n') + 1 < static_cast<std::size_t>(log.lengths().csv));
    }

    void a_log_is_not_written_through_a_symbolic_link() {
        std::ofstream(file("victim")) << "precious";
        std::filesystem::create_symlink(file("victim"), file("link.jsonl"));
        std::filesystem::create_symlink(file("planted"), file("dangling.jsonl"));
        for (const char* name : {"link.jsonl", "dangling.jsonl"}) {
            try {
                NumericLog(file(name), {}, {}, {});
                QFAIL("no error was thrown");
            } catch (const Error& error) {
                QCOMPARE(error.code(), ErrorCode::output_not_writable);
            }
        }
        QCOMPARE(contents_of(file("victim")), std::string("precious"));
        QVERIFY(!std::filesystem::exists(file("planted")));
    }

    void two_runs_do_not_share_a_log() {
        NumericLog first = open("shared.jsonl", nullptr);
        first.write(Json{{"run", 1}});
        try {
            NumericLog(file("shared.jsonl"), {}, {}, {});
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::output_exists);
        }
        first.write(Json{{"run", 1}});
        QCOMPARE(contents_of(file("shared.jsonl")), std::string("{\"run\":1}\n{\"run\":1}\n"));
    }

    void a_folder_is_refused() {
        try {
            NumericLog(folder_.path().toStdString(), {}, {}, {});
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::output_not_writable);
        }
    }
};

QTEST_GUILESS_MAIN(TestNumericLog)
#include "test_numeric_log.moc"
