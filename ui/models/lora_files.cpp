#include "ui/models/lora_files.h"

#include <QFileInfo>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "ui/text/words.h"

namespace kinescope::ui {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLevels = 4;  ///< folders above a model in which "loras" is searched for

bool isFixedName(const QString& stem) {
    return stem == QLatin1String("adapter_model") || stem == QLatin1String("pytorch_lora_weights");
}

}  // namespace

QString loraName(const fs::path& file) {
    const QString stem = pathText(file.stem());
    return isFixedName(stem) && file.has_parent_path() ? pathText(file.parent_path().filename()) : stem;
}

QString lorasText(const std::vector<LoraRequest>& loras) {
    QStringList names;
    for (const LoraRequest& lora : loras)
        names << loraName(lora.path) + QLatin1Char(' ') +
                     QLocale().toString(lora.scale, 'g', QLocale::FloatingPointShortest);
    return names.join(QStringLiteral(", "));
}

bool mayBeLora(const QString& file) {
    static const QStringList endings{QStringLiteral("safetensors"), QStringLiteral("sft"), QStringLiteral("pt"),
                                     QStringLiteral("pth"), QStringLiteral("bin")};
    return endings.contains(QFileInfo(file).suffix(), Qt::CaseInsensitive);
}

QString loraFolder(const VideoRequest& request) {
    if (!request.loras.empty()) return pathText(request.loras.back().path.parent_path());
    if (request.model == VideoRequest().model) return {};
    const fs::path model = request.model;
    fs::path folder = model;
    for (int level = 0; level < kMostLevels && folder.has_relative_path(); ++level) {
        folder = folder.parent_path();
        std::error_code ignored;
        if (fs::is_directory(folder / "loras", ignored)) return pathText(folder / "loras");
    }
    return pathText(model.parent_path());
}

bool hasLora(const VideoRequest& request, const fs::path& file) {
    return std::ranges::find(request.loras, file, &LoraRequest::path) != request.loras.end();
}

void addLora(VideoRequest& request, const fs::path& file) {
    if (!hasLora(request, file)) request.loras.push_back({.path = file, .scale = 1});
}

void removeLora(VideoRequest& request, const fs::path& file) {
    std::erase_if(request.loras, [&](const LoraRequest& lora) { return lora.path == file; });
}

}  // namespace kinescope::ui
