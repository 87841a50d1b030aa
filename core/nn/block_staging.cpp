#include "core/nn/block_staging.h"

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/base/mapped_file.h"
#include "core/device/mps_policy.h"

namespace kinescope {

namespace {

c10::impl::VirtualGuardImpl guard_of(const Device& device) {
    return c10::impl::VirtualGuardImpl(device.type());
}

c10::Stream current_stream(const Device& device) {
    return guard_of(device).getStream(device);
}

std::shared_ptr<const c10::Stream> second_stream(const Device& device) {
    if (block_transfer(device) == BlockTransfer::in_order) return nullptr;
    return std::make_shared<const c10::Stream>(guard_of(device).getStreamFromGlobalPool(device));
}

}  // namespace

BlockStaging::BlockStaging(const WeightScope& scope, const Device& device)
    : store_(scope.share_store()), device_(device), stream_(second_stream(device)) {}

BlockStaging::Arrival BlockStaging::bring(const std::function<void()>& build) {
    const c10::OptionalStreamGuard guard(stream_ ? std::optional(*stream_) : std::nullopt);
    const WeightStore::ReadingScope reading(*store_, stream_ ? Reading::pinned : Reading::mapped);
    build();
    store_->refuse_damaged();
    Arrival arrival{.pages = store_->take_pages(), .ready = nullptr};
    if (stream_) {
        arrival.ready = std::make_shared<c10::Event>(device_.type());
        arrival.ready->record(*stream_);
    }
    return arrival;
}

void BlockStaging::await(const Arrival& arrival) const {
    if (arrival.ready) arrival.ready->block(current_stream(device_));
}

void BlockStaging::leave(const Arrival& arrival) const {
    for (const auto& pages : arrival.pages) release_pages(pages);
    if (!stream_) return;
    c10::Event last_use(device_.type());
    last_use.record(current_stream(device_));
    last_use.block(*stream_);
}

}  // namespace kinescope
