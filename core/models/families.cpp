#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/models/cogvideox/family.h"
#include "core/models/discovery/model_files.h"
#include "core/models/ltx/family.h"
#include "core/models/model_family.h"
#include "core/models/stepvideo/family.h"
#include "core/models/svd/family.h"
#include "core/models/wan/family.h"

namespace kinescope {

namespace {

/// Returns one object of each class. The objects exist as long as the program.
template <class... Families>
std::vector<const ModelFamily*> instances() {
    static const std::tuple<Families...> objects;
    return std::apply([](const auto&... each) { return std::vector<const ModelFamily*>{&each...}; }, objects);
}

/// Returns the names of all families: "Wan, CogVideoX, ...".
std::string supported_families() {
    return joined(model_families(), ", ", &ModelFamily::display_name);
}

/// Throws Error(component_missing) for a denoiser that the index of a folder lists, and that the folder lacks. Without
/// it, no family recognizes the model.
void refuse_missing_denoiser(const ModelFiles& files) {
    for (const std::string name : {"transformer", "unet"}) {
        const auto listed = files.index.find(name);
        const bool is_listed = listed != files.index.end() && listed->is_array() && listed->size() == 2;
        if (!is_listed || !(*listed)[1].is_string() || files.has(name)) continue;
        std::string text = missing_component(files.root, name, name, (*listed)[1].get<std::string>()).missing.text;
        if (files.is_present("transformer_2")) text += "; transformer_2 is only the second of two experts";
        const std::string option = name == "transformer" ? ", or choose it with --transformer" : "";
        throw Error(ErrorCode::component_missing, text, "Download this folder of the model, too" + option + ".",
                    {{"component", name}, {"path", (files.root / name).string()}});
    }
}

}  // namespace

const std::vector<const ModelFamily*>& model_families() {
    static const auto families = instances<wan::WanFamily,              //
                                           cogvideox::CogVideoXFamily,  //
                                           svd::SvdFamily,              //
                                           stepvideo::StepVideoFamily,  //
                                           ltx::LtxFamily>();
    return families;
}

RowLayers row_layers() {
    RowLayers all;
    for (const auto* family : model_families()) std::ranges::move(family->row_layers(), std::back_inserter(all));
    return all;
}

const ModelFamily& find_family(const ModelFiles& files) {
    std::vector<const ModelFamily*> found;
    for (const auto* family : model_families())
        if (family->match(files)) found.push_back(family);
    if (found.size() == 1) return *found.front();
    if (found.empty()) refuse_missing_denoiser(files);
    const std::string seen = joined(files.components | std::views::values, ", ", &ComponentFiles::class_name);
    std::string tied;
    for (const auto* family : found) tied += " " + family->name();
    const auto supported = supported_families();
    throw Error(ErrorCode::model_unknown,
                "The model at " + files.root.string() +
                    (found.empty() ? " does not belong to a supported family" : " matches several families:" + tied) +
                    "; its components are: " + (seen.empty() ? "none" : seen),
                "Supported families: " + supported + ".", {{"path", files.root.string()}, {"families", supported}});
}

}  // namespace kinescope
