#include "core/jobs/plan/tiny_decoder.h"

#include <array>
#include <optional>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/models/discovery/companion_search.h"
#include "core/models/discovery/model_folders.h"
#include "core/models/tiny_vae/tiny_vae.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::array kEndings = {".safetensors", ".pth"};

/// Better decoders come first in the card, so their names matter more than the folders.
std::optional<fs::path> find_file(const fs::path& model, const std::vector<std::string>& names) {
    if (names.empty()) return std::nullopt;
    PartFinder finder;
    const CompanionSearch search({.model = model, .configured = configured_model_folders()}, finder);
    const auto folders = search.folders_for("tiny_decoder");
    std::error_code ignored;
    for (const std::string& name : names)
        for (const fs::path& folder : folders)
            for (const char* ending : kEndings)
                if (fs::is_regular_file(folder / (name + ending), ignored)) return folder / (name + ending);
    return std::nullopt;
}

[[noreturn]] void refuse_draft(const ModelCard& card) {
    throw Error(ErrorCode::bad_request,
                "decode draft needs the tiny decoder " + joined(card.tiny_decoders, " or ") +
                    ", and there is none beside the model or in a folder vae_approx",
                "Name its file with preview_decoder, or decode with the model's VAE.", {{"decode", "full"}});
}

}  // namespace

TinyDecoderChoice choose_tiny_decoder(const MemoryJob& job, const ModelCard& card, const WeightCheck& check) {
    const ResolvedCompute& compute = job.request.compute;
    const bool is_draft = compute.decode == DecodeMode::draft;
    TinyDecoderChoice choice;
    if (!is_draft && compute.previews == PreviewMode::latent) return choice;
    const fs::path file = compute.preview_decoder.empty()
                              ? find_file(job.files.root, card.tiny_decoders).value_or(fs::path())
                              : compute.preview_decoder;
    if (file.empty()) {
        if (is_draft) refuse_draft(card);
        return choice;
    }
    try {
        const auto weights = open_checked(file, check);
        const tiny_vae::Config config = tiny_vae::read_config(*weights);
        const ResolvedContent& content = job.request.content;
        const tiny_vae::Video video{.latents_shape = job.family.latents_shape(job.files, job.request),
                                    .width = content.width,
                                    .height = content.height,
                                    .num_frames = content.num_frames};
        tiny_vae::check_fit(config, file, video);
        choice.file = file;
        if (compute.previews == PreviewMode::automatic) choice.preview_bytes = tiny_vae::preview_bytes(config, video);
        if (is_draft) choice.draft_bytes = tiny_vae::draft_bytes(config, video);
    } catch (const Error& error) {
        if (is_draft) throw;
        choice.notes.push_back(error.message() + "; previews show projected latents");
    }
    return choice;
}

}  // namespace kinescope
