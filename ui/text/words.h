#pragma once

#include <QString>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// Returns format_byte_size in the language of the window: "2.1 MiB", "15.6 GiB". All sizes in the window have this
/// form, so that a size of a file, of free memory and of a plan can be compared.
QString bytesText(std::int64_t bytes);

/// Formats a count with the group separators of the language: "7,874". Not for sizes in pixels, seeds and other numbers
/// that name something.
QString countText(std::int64_t count);

/// Formats a size in px: "832 × 480".
QString sizeText(Size size);

/// Formats a number of the engine, such as "39810", "0.25" or "61.5 %", in the language of the window: "39,810".
/// Returns any other text unchanged.
QString numberText(const QString& number);

/// Converts a text of the engine, which is UTF-8.
QString text(std::string_view utf8);

/// Converts a path to a QString.
QString pathText(const std::filesystem::path& path);

/// Returns the text of a number that may be larger: "≥ 1".
QString leastText(std::int64_t least);

/// Returns the last two components of a path: "Videos › Kinescope".
QString folderText(const QString& path);

/// Makes a sentence: capitalizes the first word unless it is a name, and adds a full stop in the script of the text.
QString asSentence(const QString& words);

/// Returns the display name of a model, made of family, variant and size: "Wan 2.1 T2V 1.3B". The name of the built-in
/// model is translated.
QString modelName(const ModelCard& card);
/// `name`: of the model with this id, see display_name.
QString modelName(const std::string& id, const std::string& name);
/// Returns the display name of a model with the name of its folder or file: "Wan 2.1 T2V 1.3B (my-finetune)".
QString modelNameWithFolder(const ModelCard& card);
/// Returns the display name of a model in a list of cards, with its folder if another model there has the same name.
template <class Cards>
QString modelNameAmong(const ModelCard& card, const Cards& cards) {
    const bool isShared = std::ranges::any_of(
        cards, [&](const ModelCard& other) { return other.id != card.id && modelName(other) == modelName(card); });
    return isShared ? modelNameWithFolder(card) : modelName(card);
}
/// Returns the display name of a model's folder or file. A snapshot in a Hugging Face cache gets the name of its
/// repository.
QString modelFolderName(const QString& path);
QString builtinModelName();

/// Returns a UTC time such as "2026-11-21T10:00:00Z" as date and time of this computer. Returns other texts unchanged.
QString localTimeText(const std::string& utc);

/// Returns the usual name of a scheduler: "UniPC" for "unipc". Returns an unknown name unchanged.
QString schedulerName(const std::string& name);

}  // namespace kinescope::ui
