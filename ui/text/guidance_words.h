#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// The name of a guidance method: "CFG-Zero*".
QString guidanceMethodName(GuidanceMethod method);

/// What the method does and what it costs, one or two sentences.
QString guidanceMethodText(GuidanceMethod method);

/// What a field of a method does, see core/api/guidance_fields.h.
QString guidanceFieldTip(std::string_view field);

/// Block numbers as typed: "9, 10".
QString blocksText(const std::vector<int>& blocks);

/// The inverse of blocksText(). Ignores words that are not numbers.
std::vector<int> blocksFrom(const QString& text);

}  // namespace kinescope::ui
