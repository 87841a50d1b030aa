#pragma once

#include <atomic>
#include <functional>
#include <memory>

namespace kinescope::ui {

/// Tells whether a request is still the newest one of its kind. Older ones are not worth their work, and their answers
/// would replace newer ones.
class Newest {
public:
    /// A new request begins, or nobody waits for one any more.
    void begin() { ++*number_; }
    /// Returns a function that is true until the next begin(). It may be called on any thread, also after this object
    /// is gone.
    std::function<bool()> current() const {
        return [newest = number_, number = number_->load()] { return *newest == number; };
    }

private:
    std::shared_ptr<std::atomic<int>> number_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace kinescope::ui
