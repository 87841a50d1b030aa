#include "core/weights/float8_notes.h"

#include <mutex>
#include <utility>

namespace kinescope {

namespace {

std::mutex listening;
Float8Listener* newest = nullptr;

std::string& loading() {
    thread_local std::string name;
    return name;
}

}  // namespace

Float8Listener::Float8Listener() {
    const std::lock_guard lock(listening);
    before_ = std::exchange(newest, this);
}

Float8Listener::~Float8Listener() {
    const std::lock_guard lock(listening);
    newest = before_;
}

std::vector<Float8Note> Float8Listener::take() {
    const std::lock_guard lock(listening);
    return std::exchange(notes_, {});
}

void note_float8(Float8Note note) {
    const std::lock_guard lock(listening);
    if (newest == nullptr) return;
    if (note.component.empty()) note.component = loading();
    newest->notes_.push_back(std::move(note));
}

LoadingComponent::LoadingComponent(std::string name) : before_(std::exchange(loading(), std::move(name))) {}

LoadingComponent::~LoadingComponent() {
    loading() = before_;
}

const std::string& LoadingComponent::current() {
    return loading();
}

}  // namespace kinescope
