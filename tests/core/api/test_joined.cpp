#include <QTest>
#include <array>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include "core/api/joined.h"

using namespace kinescope;

class TestJoined : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_are_separated() {
        QCOMPARE(joined(std::vector<std::string>{}, ", "), std::string());
        QCOMPARE(joined(std::array{"a"}, ", "), std::string("a"));
        QCOMPARE(joined(std::array{"a", "b", "c"}, " or "), std::string("a or b or c"));
    }

    void empty_texts_are_left_out() { QCOMPARE(joined(std::array{"", "a", "", "b", ""}, ", "), std::string("a, b")); }

    void the_text_of_an_item_is_a_member_or_computed() {
        const std::map<std::string, int> counts{{"a", 1}, {"b", 2}};
        QCOMPARE(joined(counts, ", ", &std::pair<const std::string, int>::first), std::string("a, b"));
        QCOMPARE(joined(counts | std::views::values, "+", [](int count) { return std::to_string(count); }),
                 std::string("1+2"));
    }
};

QTEST_GUILESS_MAIN(TestJoined)
#include "test_joined.moc"
