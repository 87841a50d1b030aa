#include "ui/text/site_name.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>

#include "core/api/dtype_choice.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(SiteName)
};

/// Removes a leading component name: "transformer.latents" -> "latents".
std::string_view withoutComponent(std::string_view site) {
    for (const std::string_view component :
         {"transformer.", "transformer_2.", "unet.", "text_encoder.", "text_encoder_2.", "image_encoder.", "vae."}) {
        if (site.starts_with(component)) return site.substr(component.size());
    }
    return site;
}

/// Returns the first `parts` components of a dotted name, or all of them if there are fewer.
std::string_view firstParts(std::string_view name, int parts) {
    std::size_t end = 0;
    for (; parts > 0 && end != std::string_view::npos; --parts) end = name.find('.', end == 0 ? 0 : end + 1);
    return name.substr(0, end);
}

/// Returns the part of a site's name after its block: "blocks.31", "blocks.31.ffn" -> "ffn".
std::string_view partOf(std::string_view block, std::string_view site) {
    return site.size() > block.size() ? site.substr(block.size() + 1) : std::string_view{};
}

QString partName(std::string_view part) {
    if (part.ends_with(".to_q")) return Tr::tr("attention queries");
    if (part.ends_with(".to_k")) return Tr::tr("attention keys");
    if (part.ends_with(".to_v")) return Tr::tr("attention values");
    if (part.find("ff") != std::string_view::npos && part.find("net.0") != std::string_view::npos)
        return Tr::tr("feed-forward hidden layer");
    if (part.find("temporal") != std::string_view::npos && part.find("attn") != std::string_view::npos)
        return Tr::tr("temporal attention");
    if (part.starts_with("attn2") || part == "cross_attn") return Tr::tr("cross-attention");
    if (part.starts_with("attn") || part == "self_attn") return Tr::tr("attention output");
    if (part.starts_with("ff")) return Tr::tr("feed-forward output");
    if (part.empty()) return Tr::tr("output");
    return text(part);
}

/// Returns the number of a block: "blocks.31" -> "31". Returns names with more components unchanged.
QString blockLabel(std::string_view block) {
    return text(firstParts(block, 3) == firstParts(block, 2) ? block.substr(block.rfind('.') + 1) : block);
}

}  // namespace

std::string_view blockName(std::string_view site) {
    const auto number = site.find('.') + 1;
    const bool isNumbered = number != 0 && number < site.size() && site[number] >= '0' && site[number] <= '9';
    if (site.starts_with("mid_block.")) return firstParts(site, 3);
    if (!isNumbered) return {};
    if (site.starts_with("blocks.") || site.starts_with("transformer_blocks.")) return firstParts(site, 2);
    if (site.starts_with("down_blocks.") || site.starts_with("up_blocks.")) return firstParts(site, 4);
    return {};
}

QString siteName(std::string_view site) {
    site = withoutComponent(site);
    if (site == "latents") return Tr::tr("Latents");
    if (site == "noise_pred") return Tr::tr("Velocity");
    if (site == "prompt_embeds") return Tr::tr("Prompt embedding");
    if (site == "negative_prompt_embeds") return Tr::tr("Negative prompt embedding");
    if (site == "frames") return Tr::tr("Frames");
    if (site == "seam") return Tr::tr("Seam", "between a video and its continuation");
    if (site == "patch_embedding") return Tr::tr("Denoiser input");
    if (site == "proj_out") return Tr::tr("Denoiser output");
    const std::string_view block = blockName(site);
    if (block.empty()) return text(site);
    return Tr::tr("Block %1, %2").arg(blockLabel(block), partName(partOf(block, site)));
}

QString siteNameInSentence(std::string_view site) {
    const QString name = siteName(site);
    return name == text(withoutComponent(site)) ? name : QString(name.left(1).toLower() + name.mid(1));
}

namespace {

/// Parses the spelling of the numeric log and that of requests.
std::optional<ElementType> typeNamed(std::string_view dtype) {
    if (const auto type = element_type_from(dtype)) return type;
    const auto choice = dtype_choice_from(dtype);
    return choice ? element_type(*choice) : std::nullopt;
}

QString shortName(ElementType type) {
    switch (type) {
        case ElementType::float16:
            return QStringLiteral("fp16");
        case ElementType::bfloat16:
            return QStringLiteral("bf16");
        case ElementType::float8_e4m3fn:
            return QStringLiteral("fp8");
        case ElementType::float8_e5m2:
            return QStringLiteral("fp8 (e5m2)");
        case ElementType::float64:
        case ElementType::float32:
        case ElementType::int8:
            break;
    }
    return QString::fromStdString(to_string(type));
}

}  // namespace

QString dtypeName(std::string_view dtype) {
    if (compute_precision_from(dtype) == ComputePrecision{ElementType::float16, PrecisionLevel::scaled})
        return Tr::tr("scaled fp16", "precision of a component");
    const auto type = typeNamed(dtype);
    return type ? shortName(*type) : text(dtype);
}

QString memoryPartName(const std::string& part) {
    constexpr std::string_view kActivations = " activations";
    if (part == "weights") return Tr::tr("Weights");
    if (part == "activations") return Tr::tr("Activations");
    if (part == "program") return Tr::tr("Program");
    if (part == "latents") return Tr::tr("Latents");
    if (part == "frames") return Tr::tr("Frames");
    if (!part.ends_with(kActivations)) return componentName(part);
    const std::string component = part.substr(0, part.size() - kActivations.size());
    return Tr::tr("%1, activations", "component").arg(componentName(component));
}

QString componentName(std::string_view component) {
    if (component == "transformer" || component == "unet") return Tr::tr("Denoiser");
    if (component == "transformer_2") return Tr::tr("Second denoiser");
    if (component == "text_encoder") return Tr::tr("Text encoder");
    if (component == "text_encoder_2") return Tr::tr("Second text encoder");
    if (component == "image_encoder") return Tr::tr("Image encoder");
    if (component.starts_with("tokenizer")) return Tr::tr("Tokenizer");
    if (component == "vae") return Tr::tr("VAE");
    return text(component);
}

}  // namespace kinescope::ui
