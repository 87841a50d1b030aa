#pragma once

#include <unistd.h>

namespace kinescope::testing {

/// Temporarily drops root's privileges, because root may read and write everywhere.
class AsNobody {
public:
    AsNobody() {
        if (::geteuid() == 0 && ::seteuid(65534) == 0) changed_ = true;
    }
    ~AsNobody() {
        if (changed_) [[maybe_unused]]
            const int result = ::seteuid(0);
    }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

private:
    bool changed_ = false;
};

}  // namespace kinescope::testing
