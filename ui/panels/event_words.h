#pragma once

#include <QTime>

#include "core/api/run_event.h"
#include "ui/widgets/event_card.h"

namespace kinescope::ui {

/// What the guard did, in words: made from the codes of the event, never from the engine's sentences.
EventText eventText(const GuardActed& action, const QTime& time);

}  // namespace kinescope::ui
