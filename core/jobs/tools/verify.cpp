#include "core/jobs/tools/verify.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "core/base/json.h"
#include "core/device/backend.h"
#include "core/jobs/prepare.h"
#include "core/jobs/tools/compare_tensors.h"
#include "core/jobs/tools/comparing_observer.h"
#include "core/jobs/tools/recorded_inputs.h"
#include "core/jobs/tools/verify_components.h"
#include "core/jobs/tools/verify_network.h"
#include "core/models/discovery/weight_files.h"

namespace kinescope {

namespace {

constexpr std::string_view kIoEnding = "_io.safetensors";

/// Finds the first block whose output differs from the reference. In the golden case, the site "blocks.3" has the name
/// "block.3"; other sites have their own name ("block.conv_in").
class BlockProbe final : public Probe {
public:
    BlockProbe(const CheckpointReader& io, double tolerance) : tolerance_(tolerance) {
        for (const TensorEntry& entry : io.entries())
            if (entry.name.starts_with("block.") || entry.name.starts_with("control.") ||
                entry.name.starts_with("hint."))
                blocks_[entry.name] = io.read(entry.name);
    }
    void observe(const Observation& seen) override {
        if (!first_different_.empty()) return;
        const auto found = find(seen.site);
        // Skip block outputs that the reference stores in another layout, because they cannot be compared.
        if (found == blocks_.end() || found->second.sizes() != seen.value.sizes()) return;
        const VerifyRow row = compare_tensor("", "", seen.value.to(at::kFloat), found->second);
        if (!(row.relative_error <= tolerance_)) first_different_ = seen.site;
    }
    const std::string& first_different() const { return first_different_; }

private:
    std::map<std::string, Tensor>::const_iterator find(std::string_view site) const {
        constexpr std::string_view kBlocks = "blocks.";
        const auto found = blocks_.find("block." + std::string(site));
        const auto at = site.find(kBlocks);
        const bool is_list = at == 0 || (at != std::string_view::npos && site[at - 1] == '.');
        if (found != blocks_.end() || !is_list) return found != blocks_.end() ? found : side_branch(site);
        return blocks_.find("block." + std::string(site.substr(at + kBlocks.size())));
    }

    /// VACE's "vace_blocks.1" is named "control.1", its projection "hint.1".
    std::map<std::string, Tensor>::const_iterator side_branch(std::string_view site) const {
        constexpr std::string_view kSide = "vace_blocks.";
        constexpr std::string_view kHint = ".proj_out";
        if (!site.starts_with(kSide)) return blocks_.end();
        site.remove_prefix(kSide.size());
        if (!site.ends_with(kHint)) return blocks_.find("control." + std::string(site));
        site.remove_suffix(kHint.size());
        return blocks_.find("hint." + std::string(site));
    }

    double tolerance_;
    std::map<std::string, Tensor> blocks_;
    std::string first_different_;
};

/// Returns the files of the case, by component.
std::map<std::string, std::filesystem::path> io_files(const std::filesystem::path& case_dir) {
    std::map<std::string, std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(case_dir)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(kIoEnding)) files[name.substr(0, name.size() - kIoEnding.size())] = entry.path();
    }
    return files;
}

/// Throws Error(missing_keys) if no name of a tensor in a reference file begins with `beginning`: a case without
/// references would pass, although nothing is compared.
void require_references(const CheckpointReader& file, std::string_view beginning) {
    const auto is_reference = [beginning](const TensorEntry& entry) { return entry.name.starts_with(beginning); };
    if (std::ranges::any_of(file.entries(), is_reference)) return;
    const std::string missing = beginning.empty() ? "tensor" : "tensor \"" + std::string(beginning) + "...\"";
    throw Error(ErrorCode::missing_keys,
                file.files().front().string() + " contains no " + missing + " to compare with");
}

/// Compares every recorded output of a component, if the model family can replay it.
void verify_component(const std::string& component, const CheckpointReader& io, const PreparedRun& job,
                      const CancellationToken& stop, VerifyReport& report) {
    constexpr std::string_view kOut = "out.";
    require_references(io, kOut);
    BlockProbe probe(io, verify_tolerance(job.policy.denoiser()).relative);
    stop.throw_if_requested();
    auto outputs = with_recorded_inputs(io.files().front(), [&] {
        return job.family->replay({.files = job.files, .policy = job.policy, .component = component, .io = io},
                                  {probe, stop, component});
    });
    if (outputs.empty()) return;
    for (const TensorEntry& entry : io.entries()) {
        if (!entry.name.starts_with(kOut)) continue;
        VerifyRow row =
            compare_tensor(component, entry.name, outputs[entry.name.substr(kOut.size())], io.read(entry.name));
        row.first_different_block = probe.first_different();
        report.rows.push_back(std::move(row));
    }
}

/// Calls `check` for all weight files of a case, which may contain models.
void check_files(const std::filesystem::path& case_dir, const WeightCheck& check) {
    constexpr int kDepth = 3;
    if (!check) return;
    for (const auto& file : find_weight_files(case_dir, kDepth)) check(file);
}

VideoRequest read_request(const std::filesystem::path& case_dir, const VerifyOptions& options) {
    VideoRequest request = parse_request(read_json(case_dir / "request.json").dump(), case_dir);
    if (!request.negative_prompt) request.negative_prompt = "";
    request.device = options.device;
    request.output = {};
    request.image_fit = ImageFit::stretch;
    request.control_fit = ControlFit::reference;
    const auto dtype = dtype_choice_from(options.dtype);
    if (!dtype) throw Error(ErrorCode::bad_request, "dtype '" + options.dtype + "' is unknown");
    request.dtype = request.text_encoder_dtype = request.vae_dtype = *dtype;
    return request;
}

}  // namespace

VerifyReport verify_case(const std::filesystem::path& case_dir, const std::filesystem::path& resources_dir,
                         const VerifyOptions& options, const WeightCheck& check, const CancellationToken& stop) {
    check_files(case_dir, check);
    if (is_component_case(case_dir)) return verify_components(case_dir, stop);
    if (is_network_case(case_dir)) return verify_network(case_dir, options, stop);
    VerifyReport report{.case_dir = case_dir};
    PrepareOptions environment{resources_dir, known_devices()};
    environment.check_weights = check;
    const PreparedRun job = prepare_job(read_request(case_dir, options), environment);
    for (const auto& [component, file] : io_files(case_dir))
        verify_component(component, *open_checkpoint(file), job, stop, report);
    const auto expected = open_checkpoint(case_dir / "expected.safetensors");
    require_references(*expected, "");
    ComparingObserver observer(expected, job, report);
    run_video(
        job, [](const RunEvent&) {}, stop, observer);
    observer.finish();
    for (VerifyRow& row : report.rows) judge(row, verify_tolerance(job.policy.denoiser()));
    report.passed = !report.rows.empty() && std::all_of(report.rows.begin(), report.rows.end(),
                                                        [](const VerifyRow& row) { return row.passed; });
    return report;
}

}  // namespace kinescope
