#pragma once

#include <QString>
#include <string>
#include <string_view>

namespace kinescope::ui {

/// A place in the model in words: "blocks.31.ffn" -> "Block 31, feed-forward output". A name that is not known is shown
/// as it is.
QString siteName(std::string_view site);

/// The same inside of a sentence: "block 31, feed-forward output".
QString siteNameInSentence(std::string_view site);

/// The block that a place belongs to, a row of the heat-map: "blocks.31.ffn" -> "blocks.31",
/// "down_blocks.0.attentions.1.temporal_transformer_blocks.0.attn1" -> "down_blocks.0.attentions.1",
/// "mid_block.resnets.0" -> "mid_block.resnets.0"; empty for a place outside of the blocks.
std::string_view blockName(std::string_view site);

/// The short name people know: "float16" -> "fp16", "bfloat16" -> "bf16"; others as they are.
QString dtypeName(std::string_view dtype);

/// What takes memory, as a plan names it: "vae activations" -> "VAE, activations".
QString memoryPartName(const std::string& part);

/// "transformer" -> "Denoiser", "text_encoder" -> "Text encoder", "vae" -> "VAE".
QString componentName(std::string_view component);

}  // namespace kinescope::ui
