#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tests/support/window_fixture.h"

namespace kinescope::screenshots {

using testing::WindowFixture;

/// In how many sizes, languages and themes a scene is drawn.
enum class Looks { all, few };

/// A state of the window, and how it is reached.
struct Scene {
    const char* name;
    testing::Script script;
    std::size_t holdAfter;
    std::function<bool(WindowFixture&)> reached;
    std::function<void(WindowFixture&)> before = {};  ///< runs before Generate
    std::function<void(WindowFixture&)> after = {};   ///< runs when the scene is reached
    const char* action = "actionGenerate";
    Looks looks = Looks::all;
    std::function<void(testing::FakeEngine&)> prepare = {};  ///< runs before the window uses the engine
};

/// Processes events until `reached` returns true, at most 20 seconds. Returns false if the time is over.
bool waitFor(const std::function<bool()>& reached);

/// Waits until nothing is drawn any more. A video that plays does not end.
void settle();

std::vector<Scene> allScenes();

}  // namespace kinescope::screenshots
