#pragma once

#include <QString>
#include <string>
#include <string_view>

namespace kinescope::ui {

/// Returns the display name of a site, a named place in a model at which values are observed: "blocks.31.ffn" -> "Block
/// 31, feed-forward output". Returns unknown names unchanged.
QString siteName(std::string_view site);

/// Returns the display name of a site for use inside a sentence: "block 31, feed-forward output".
QString siteNameInSentence(std::string_view site);

/// Returns the block of a site, which is a row of the heat map: "blocks.31.ffn" -> "blocks.31",
/// "down_blocks.0.attentions.1.temporal_transformer_blocks.0.attn1" -> "down_blocks.0.attentions.1",
/// "mid_block.resnets.0" -> "mid_block.resnets.0". Empty if the site is outside of the blocks.
std::string_view blockName(std::string_view site);

/// Returns the common short name of a dtype: "float16" -> "fp16", "bfloat16" -> "bf16". Returns other names unchanged.
QString dtypeName(std::string_view dtype);

/// Returns the display name of a memory plan entry: "vae activations" -> "VAE, activations".
QString memoryPartName(const std::string& part);

/// Returns the display name of a component: "transformer" -> "Denoiser", "text_encoder" -> "Text encoder".
QString componentName(std::string_view component);

}  // namespace kinescope::ui
