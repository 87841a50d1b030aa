#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace kinescope::testing {

/// Measures how long the GUI event loop takes to handle an event such as a click. During the object's lifetime, a
/// thread posts an event every 5 ms.
class LoopLatency {
public:
    LoopLatency()
        : sender_([this] {
              while (!done_) {
                  const auto sent = std::chrono::steady_clock::now();
                  QMetaObject::invokeMethod(qApp, [times = times_, sent] {
                      times->push_back(
                          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - sent).count());
                  });
                  std::this_thread::sleep_for(std::chrono::milliseconds(5));
              }
          }) {}
    ~LoopLatency() {
        done_ = true;
        sender_.join();
    }
    LoopLatency(const LoopLatency&) = delete;
    LoopLatency& operator=(const LoopLatency&) = delete;

    int count() const { return static_cast<int>(times_->size()); }
    /// Returns a quantile of the latency in milliseconds. `share` is 0 to 1; 1 returns the longest latency.
    double quantile(double share) const {
        if (times_->empty()) return 0;
        std::vector<double> sorted = *times_;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }

private:
    std::shared_ptr<std::vector<double>> times_ = std::make_shared<std::vector<double>>();  ///< for the GUI thread
    std::atomic<bool> done_ = false;
    std::thread sender_;
};

}  // namespace kinescope::testing
