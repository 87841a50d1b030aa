#include "core/api/compare_report.h"

#include <array>

namespace kinescope {

std::string to_string(CompareKind kind) {
    return kind == CompareKind::logs ? "logs" : "videos";
}

std::string to_string(Statistic statistic) {
    constexpr std::array names = {"max_abs", "min", "max", "mean", "std", "nan", "inf"};
    static_assert(names.size() == static_cast<std::size_t>(Statistic::inf) + 1);
    return names[static_cast<std::size_t>(statistic)];
}

}  // namespace kinescope
