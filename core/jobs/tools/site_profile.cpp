#include "core/jobs/tools/site_profile.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/base/stopwatch.h"

namespace kinescope {

namespace {

/// Maps parts of op names to op types. The first match applies.
constexpr auto kSites = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"attention", "attention"},
    {"softmax", "attention"},
    {"conv", "convolution"},
    {"winograd", "convolution"},
    {"mm", "gemm"},
    {"linear", "gemm"},
    {"rotary", "rope"},
    {"complex", "rope"},
    {"norm", "norm"},
    {"gelu", "activation"},
    {"silu", "activation"},
    {"copy", "copy"},
    {"clone", "copy"},
    {"::cat", "copy"},
    {"index", "copy"},
    {"pad", "copy"},
    {"upsample", "copy"},
    {"::add", "elementwise"},
    {"add_gated", "elementwise"},
    {"::mul", "elementwise"},
    {"::sub", "elementwise"},
    {"::div", "elementwise"},
});

thread_local SiteProfile* profile_of_thread = nullptr;

struct TimedOp final : at::ObserverContext {
    explicit TimedOp(std::string_view of) : site(of) {}

    std::string_view site;
    Stopwatch watch;
};

}  // namespace

std::string_view site_of_op(std::string_view op) {
    const auto found =
        std::ranges::find_if(kSites, [&](const auto& site) { return op.find(site.first) != std::string_view::npos; });
    return found == kSites.end() ? std::string_view() : found->second;
}

/// The callbacks of SiteProfile. Torch requires plain functions, so they are static.
struct OpObserver {
    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& op) {
        const auto site = site_of_op(op.name());
        if (profile_of_thread == nullptr || profile_of_thread->is_within_op_ || site.empty()) return nullptr;
        profile_of_thread->is_within_op_ = true;
        return std::make_unique<TimedOp>(site);
    }

    static void end(const at::RecordFunction& /*op*/, at::ObserverContext* context) {
        if (profile_of_thread == nullptr || context == nullptr) return;
        const auto& timed = static_cast<const TimedOp&>(*context);
        profile_of_thread->seconds_[profile_of_thread->phase_][std::string(timed.site)] += timed.watch.seconds();
        profile_of_thread->is_within_op_ = false;
    }
};

SiteProfile::SiteProfile()
    : callback_(at::addThreadLocalCallback(at::RecordFunctionCallback(&OpObserver::begin, &OpObserver::end))) {
    profile_of_thread = this;
}

SiteProfile::~SiteProfile() {
    at::removeCallback(callback_);
    profile_of_thread = nullptr;
}

}  // namespace kinescope
