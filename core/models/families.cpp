#include "core/api/error.h"
#include "core/models/cogvideox/family.h"
#include "core/models/ltx/family.h"
#include "core/models/model_family.h"
#include "core/models/stepvideo/family.h"
#include "core/models/svd/family.h"
#include "core/models/wan/family.h"

namespace kinescope {

const std::vector<const ModelFamily*>& model_families() {
    static const wan::WanFamily wan;
    static const cogvideox::CogVideoXFamily cogvideox;
    static const svd::SvdFamily svd;
    static const stepvideo::StepVideoFamily stepvideo;
    static const ltx::LtxFamily ltx;
    static const std::vector<const ModelFamily*> families{&wan, &cogvideox, &svd, &stepvideo, &ltx};
    return families;
}

const ModelFamily& find_family(const ModelFiles& files) {
    std::vector<const ModelFamily*> found;
    for (const auto* family : model_families())
        if (family->match(files)) found.push_back(family);
    if (found.size() == 1) return *found.front();
    std::string seen;
    for (const auto& [name, component] : files.components) seen += (seen.empty() ? "" : ", ") + component.class_name;
    std::string tied;
    for (const auto* family : found) tied += " " + family->name();
    throw Error(ErrorCode::model_unknown,
                "The model at " + files.root.string() +
                    (found.empty() ? " belongs to no known family" : " matches several families:" + tied) +
                    "; its components are: " + (seen.empty() ? "none" : seen),
                "Supported families: Wan, CogVideoX, Stable Video Diffusion, Step-Video-T2V and LTX-Video.",
                {{"path", files.root.string()}});
}

}  // namespace kinescope
