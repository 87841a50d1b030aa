#pragma once

#include <QString>

#include "ui/models/gpu_support_model.h"

namespace kinescope::ui {

/// The notice about GPU support.
struct GpuSupportNotice {
    enum class Severity { info, ok, warning, error };
    enum class Action { none, start, pause, restart };

    Severity severity = Severity::info;
    QString lead;  ///< "NVIDIA GeForce RTX 4090 found."
    QString text;
    Action action = Action::none;
    QString button;  ///< label of the action; empty: none
    QString detail;  ///< the engine's message, as a tooltip
};

/// Returns the notice for these facts, whose phase must not be `hidden`.
GpuSupportNotice gpuSupportNotice(const GpuSupportFacts& facts);

}  // namespace kinescope::ui
