#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/model_card.h"
#include "core/api/video_request.h"
#include "core/device/precision.h"
#include "core/models/diffusion_model.h"
#include "core/models/model_files.h"
#include "core/models/video_vae.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Everything the pipeline needs to know of a family. Components are built one by one, so that the text encoder's
/// memory can be given back before the denoiser is loaded. Requests are resolved: every value is set.
class ModelFamily {
public:
    virtual ~ModelFamily() = default;
    virtual std::string name() const = 0;
    /// Why these files are of this family, by metadata only; nullopt: they are not.
    virtual std::optional<std::string> match(const ModelFiles& files) const = 0;
    virtual ModelCard card(const ModelFiles& files) const = 0;

    /// Runs the text (and image) encoders and gives their memory back. `negative_prompt_embeds` only with guidance.
    virtual Conditioning encode_prompt(const ModelFiles& files, const VideoRequest& request, const Precision& precision,
                                       const ForwardContext& context) const = 0;
    virtual int count_tokens(const ModelFiles& files, const std::string& prompt) const = 0;
    virtual std::unique_ptr<DiffusionModel> load_denoiser(const ModelFiles& files,
                                                          const Precision& precision) const = 0;
    virtual std::unique_ptr<VideoVae> load_vae(const ModelFiles& files, const Precision& precision) const = 0;
    /// Timesteps are set from the request.
    virtual std::unique_ptr<Scheduler> make_scheduler(const ModelFiles& files, const VideoRequest& request) const = 0;
    /// [1, C, F, H, W] of the latents.
    virtual std::vector<std::int64_t> latents_shape(const ModelFiles& files, const VideoRequest& request) const = 0;
};

/// The families, in a table: core/models/families.cpp. One line each.
const std::vector<const ModelFamily*>& model_families();

/// The one family that the files belong to. Throws Error(model_unknown) that says what was seen, or which families
/// tied.
const ModelFamily& find_family(const ModelFiles& files);

}  // namespace kinescope
