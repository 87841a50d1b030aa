#pragma once

#include <QTime>

#include "core/api/run_event.h"
#include "ui/widgets/event_card.h"

namespace kinescope::ui {

/// Returns the text of a guard event, generated from the codes of `action`.
EventText eventText(const GuardActed& action, const QTime& time);

}  // namespace kinescope::ui
