#include <QtTest>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/api/numeric_error.h"
#include "core/jobs/translate_error.h"

using namespace kinescope;

namespace {

template <class Exception>
std::exception_ptr thrown(Exception exception) {
    return std::make_exception_ptr(std::move(exception));
}

}  // namespace

class TestTranslateError : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exceptions_of_libraries_have_a_code_data() {
        QTest::addColumn<std::exception_ptr>("exception");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("allocation") << thrown(std::bad_alloc()) << ErrorCode::out_of_memory;
        QTest::newRow("allocation by LibTorch")
            << thrown(std::runtime_error("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
            << ErrorCode::out_of_memory;
        QTest::newRow("kernel of oneDNN")
            << thrown(std::runtime_error("could not create a primitive")) << ErrorCode::out_of_memory;
        QTest::newRow("unsupported by oneDNN")
            << thrown(std::runtime_error("could not create a primitive descriptor for a matmul primitive"))
            << ErrorCode::internal;
        QTest::newRow("thread") << thrown(std::system_error(
                                       std::make_error_code(std::errc::resource_unavailable_try_again)))
                                << ErrorCode::out_of_memory;
        QTest::newRow("deadlock") << thrown(std::system_error(
                                         std::make_error_code(std::errc::resource_deadlock_would_occur)))
                                  << ErrorCode::internal;
        QTest::newRow("no /proc") << thrown(std::runtime_error("Failed to initialize cpuinfo!"))
                                  << ErrorCode::unsupported;
        QTest::newRow("unknown") << thrown(std::runtime_error("anything else")) << ErrorCode::internal;
        QTest::newRow("error") << thrown(Error(ErrorCode::disk_full, "full")) << ErrorCode::disk_full;
    }
    void exceptions_of_libraries_have_a_code() {
        QFETCH(std::exception_ptr, exception);
        QFETCH(ErrorCode, code);
        const Error error = translate_error(exception);
        QCOMPARE(error.code(), code);
        QCOMPARE(error.hint().find("bug") != std::string::npos, code == ErrorCode::internal);
    }

    void only_exceptions_of_libraries_are_translated() {
        QCOMPARE(with_translated_errors([] { return 7; }), 7);
        QVERIFY_THROWS_EXCEPTION(Error, with_translated_errors([] { throw std::bad_alloc(); }));
        const auto stop = [] { throw NumericError(ErrorCode::not_finite, "NaN", "", {}); };
        QVERIFY_THROWS_EXCEPTION(NumericError, with_translated_errors(stop));
        QVERIFY_THROWS_EXCEPTION(Cancelled, with_translated_errors([] { throw Cancelled(); }));
    }
};

QTEST_GUILESS_MAIN(TestTranslateError)
#include "test_translate_error.moc"
