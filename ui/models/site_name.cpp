#include "ui/models/site_name.h"

#include <QCoreApplication>
#include <QStringList>
#include <charconv>
#include <utility>

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(SiteName)
};

constexpr std::string_view kBlocks = "blocks.";

QString text(std::string_view characters) {
    return QString::fromUtf8(characters.data(), static_cast<qsizetype>(characters.size()));
}

/// "transformer.latents" -> "latents": some records name the component first.
std::string_view withoutComponent(std::string_view site) {
    for (const std::string_view component : {"transformer.", "text_encoder.", "vae."}) {
        if (site.starts_with(component)) return site.substr(component.size());
    }
    return site;
}

/// What stands after the block's number: "blocks.31.ffn" -> "ffn".
std::string_view partOf(std::string_view site) {
    const auto block = site.find(kBlocks);
    const auto dot = site.find('.', block + kBlocks.size());
    return dot == std::string_view::npos ? std::string_view{} : site.substr(dot + 1);
}

QString partName(std::string_view part) {
    if (part == "attn1" || part == "attn" || part == "self_attn") return Words::tr("attention output");
    if (part == "attn2" || part == "cross_attn") return Words::tr("attention to the words");
    if (part == "ffn" || part == "ff" || part == "ffn.out" || part == "ff.out") return Words::tr("feed-forward output");
    if (part == "ffn.mid" || part == "ff.mid") return Words::tr("feed-forward middle");
    if (part.empty() || part == "out" || part == "hidden_states") return Words::tr("output");
    return text(part);
}

}  // namespace

int blockOf(std::string_view site) {
    const auto at = site.find(kBlocks);
    if (at == std::string_view::npos) return -1;
    const auto digits = site.substr(at + kBlocks.size());
    int block = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), block);
    return block;
}

QString siteName(std::string_view site) {
    site = withoutComponent(site);
    if (site == "latents") return Words::tr("Latents");
    if (site == "noise_pred") return Words::tr("Velocity");
    if (site == "prompt_embeds") return Words::tr("Words of the prompt");
    if (site == "negative_prompt_embeds") return Words::tr("Words to avoid");
    if (site == "frames") return Words::tr("Frames");
    if (site == "patch_embedding") return Words::tr("Input of the denoiser");
    if (site == "proj_out") return Words::tr("Output of the denoiser");
    const int block = blockOf(site);
    if (block < 0) return text(site);
    return Words::tr("Block %1, %2").arg(QString::number(block), partName(partOf(site)));
}

QString siteNameInSentence(std::string_view site) {
    const QString name = siteName(site);
    return name == text(withoutComponent(site)) ? name : QString(name.left(1).toLower() + name.mid(1));
}

QString dtypeName(std::string_view dtype) {
    if (dtype == "float16" || dtype == "fp16") return QStringLiteral("fp16");
    if (dtype == "bfloat16" || dtype == "bf16") return QStringLiteral("bf16");
    if (dtype == "fp32") return QStringLiteral("float32");
    return text(dtype);
}

QString componentName(std::string_view component) {
    if (component == "transformer") return Words::tr("Denoiser");
    if (component == "text_encoder") return Words::tr("Text encoder");
    if (component == "image_encoder") return Words::tr("Image encoder");
    if (component == "vae") return Words::tr("VAE");
    return text(component);
}

}  // namespace kinescope::ui
