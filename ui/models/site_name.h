#pragma once

#include <QString>
#include <string_view>

namespace kinescope::ui {

/// A place in the model in words: "blocks.31.ffn" -> "Block 31, feed-forward output". A name that is not known is shown
/// as it is.
QString siteName(std::string_view site);

/// The same inside of a sentence: "block 31, feed-forward output".
QString siteNameInSentence(std::string_view site);

/// The block's number, or -1: "blocks.31.ffn" -> 31.
int blockOf(std::string_view site);

/// The short name people know: "float16" -> "fp16", "bfloat16" -> "bf16"; others as they are.
QString dtypeName(std::string_view dtype);

/// "transformer" -> "Denoiser", "text_encoder" -> "Text encoder", "vae" -> "VAE".
QString componentName(std::string_view component);

}  // namespace kinescope::ui
