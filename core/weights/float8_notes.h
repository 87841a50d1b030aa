#pragma once

#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// What float8 makes of one weight (detector S10), in shares of its values.
struct Float8Note {
    std::string component;            ///< "transformer"; empty: see LoadingComponent
    std::string weight;               ///< "blocks.3.ffn.net.2.weight"
    double saturated = 0;             ///< at the largest magnitude of float8
    double zero = 0;                  ///< zero in float8 and not zero before; of a file's own float8 nobody knows: 0
    Dtype kept = at::kFloat8_e4m3fn;  ///< in memory: wider where float8 would spoil it
};

/// Hears of the float8 weights that are loaded while it lives, on whatever thread. As with the log, nobody has to
/// listen; of several listeners the newest hears them.
class Float8Listener {
public:
    Float8Listener();
    ~Float8Listener();
    Float8Listener(const Float8Listener&) = delete;
    Float8Listener& operator=(const Float8Listener&) = delete;

    /// Those since the last call.
    std::vector<Float8Note> take();

private:
    friend void note_float8(Float8Note note);

    Float8Listener* before_;
    std::vector<Float8Note> notes_;
};

/// Tells the listener, with the component that this thread is loading.
void note_float8(Float8Note note);

/// Names the component whose weights this thread loads, until it goes out of scope.
class LoadingComponent {
public:
    explicit LoadingComponent(std::string name);
    ~LoadingComponent();
    LoadingComponent(const LoadingComponent&) = delete;
    LoadingComponent& operator=(const LoadingComponent&) = delete;

    /// Empty: none.
    static const std::string& current();

private:
    std::string before_;
};

}  // namespace kinescope
