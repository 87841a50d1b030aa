#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/jobs/plan/memory_plan.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// The tiny decoder of a run.
struct TinyDecoderChoice {
    std::filesystem::path file;      ///< empty: none
    std::int64_t preview_bytes = 0;  ///< memory that it needs for previews, while denoising; 0: makes none
    std::int64_t draft_bytes = 0;    ///< memory that it needs to decode a draft; 0: does not
    std::vector<std::string> notes;  ///< why a file is not used
};

/// Chooses the tiny decoder: the request's file, or one of ModelCard::tiny_decoders beside the model, in the folders
/// `vae_approx` and `vae` of a surrounding ComfyUI folder, or in the configured model folders. A file that does not fit
/// is named in the notes. Reads its header only. If the request decodes a draft, throws Error(bad_request) when
/// there is none, and the errors of read_config(), check_fit() and `check`, which is called before a file is opened.
TinyDecoderChoice choose_tiny_decoder(const MemoryJob& job, const ModelCard& card, const WeightCheck& check);

}  // namespace kinescope
