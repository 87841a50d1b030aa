#include <QTest>

#include "core/api/dtype_choice.h"

using namespace kinescope;

class TestDtypeChoice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_choice_is_read_as_it_is_written() {
        for (const auto& [choice, name] : kDtypeChoiceNames) {
            QCOMPARE(to_string(choice), std::string(name));
            QVERIFY2(dtype_choice_from(name) == choice, name);
        }
        QVERIFY(!dtype_choice_from("float16"));
        QVERIFY(!dtype_choice_from(""));
    }

    void choices_name_the_type_of_their_elements() {
        QVERIFY(element_type(DtypeChoice::bf16) == ElementType::bfloat16);
        QVERIFY(element_type(DtypeChoice::fp8) == ElementType::float8_e4m3fn);
        QVERIFY(!element_type(DtypeChoice::automatic));
        QVERIFY(!element_type(DtypeChoice::gguf));
    }

    void element_types_are_read_as_they_are_written() {
        for (const ElementType type : {ElementType::float64, ElementType::float32, ElementType::int8})
            QVERIFY(element_type_from(to_string(type)) == type);
        QVERIFY(!element_type_from("fp32"));
        QVERIFY(!element_type_from("float16 scaled"));
    }
};

QTEST_GUILESS_MAIN(TestDtypeChoice)
#include "test_dtype_choice.moc"
