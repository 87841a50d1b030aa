#pragma once

#include <functional>

class QComboBox;

namespace kinescope::ui {

/// Returns whether the list of a combo box is open. Its entries must then stay as they are, because the user reads
/// them.
bool isListOpen(const QComboBox& combo);

/// Calls `update` whenever the list of a combo box has closed and the signals of an entry that was chosen have been
/// sent.
void whenListCloses(QComboBox& combo, const std::function<void()>& update);

}  // namespace kinescope::ui
