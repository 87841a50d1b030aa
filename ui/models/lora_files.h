#pragma once

#include <QString>
#include <filesystem>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// Returns the name of a LoRA: that of its file without extension or, for the fixed names that PEFT and diffusers use,
/// that of its folder.
QString loraName(const std::filesystem::path& file);

/// Returns the names of LoRAs with their strengths: "ink 1, rain -0.65".
QString lorasText(const std::vector<LoraRequest>& loras);

/// Returns true if the ending of a file is one that LoRAs have.
bool mayBeLora(const QString& file);

/// Returns the folder in which a file dialog for LoRAs starts: that of the last LoRA of the request, else a folder
/// "loras" beside or above the model, else the folder of the model. Returns an empty string for the built-in model.
QString loraFolder(const VideoRequest& request);

/// Adds a LoRA with a scale of 1 unless the request has it.
void addLora(VideoRequest& request, const std::filesystem::path& file);

/// Removes the LoRAs with this file.
void removeLora(VideoRequest& request, const std::filesystem::path& file);

/// Returns true if the request has a LoRA with this file.
bool hasLora(const VideoRequest& request, const std::filesystem::path& file);

}  // namespace kinescope::ui
