#pragma once

#include <QLatin1String>

namespace kinescope::ui {

/// Sets the name of an object, by which tests and style sheets find it, and returns the object.
template <class Object>
Object* named(Object* object, const char* name) {
    object->setObjectName(QLatin1String(name));
    return object;
}

}  // namespace kinescope::ui
