#include "core/weights/float8_notes.h"

#include <utility>

namespace kinescope {

void Float8Notes::add(Float8Note note) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(note));
}

std::vector<Float8Note> Float8Notes::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(notes_, {});
}

}  // namespace kinescope
