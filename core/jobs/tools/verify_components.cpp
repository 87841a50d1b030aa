#include "core/jobs/tools/verify_components.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/jobs/tools/compare_tensors.h"
#include "core/jobs/tools/recorded_inputs.h"
#include "core/models/component_case.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIo = "_io.safetensors";

/// Returns the sorted names of the components for which both files exist.
std::vector<std::string> component_names(const fs::path& case_dir) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(case_dir)) {
        auto name = entry.path().filename().string();
        if (!name.ends_with(kIo)) continue;
        name.resize(name.size() - kIo.size());
        if (fs::exists(case_dir / (name + ".safetensors"))) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

ComponentCase open_case(const fs::path& case_dir, const std::string& name) {
    ComponentCase opened{.component = name,
                         .config = {},
                         .weights = open_checkpoint(case_dir / (name + ".safetensors")),
                         .io = open_checkpoint(case_dir / (name + std::string(kIo)))};
    const auto& metadata = opened.weights->metadata();
    if (const auto found = metadata.find("config"); found != metadata.end()) opened.config = parse_json(found->second);
    return opened;
}

/// Records the output of each block. Concatenates the outputs of samples that ran separately.
class BlockRecorder final : public Probe {
public:
    void observe(const Observation& seen) override {
        constexpr std::string_view kPrefix = "blocks.";
        const auto number = seen.site.substr(std::min(kPrefix.size(), seen.site.size()));
        if (!seen.site.starts_with(kPrefix) || number.find('.') != number.npos) return;
        auto& value = blocks_["block." + std::string(number)];
        value = value.defined() ? at::cat({value, seen.value}) : seen.value.clone();
    }
    const ComponentOutputs& blocks() const { return blocks_; }

private:
    ComponentOutputs blocks_;
};

/// Returns the number of compared tensors.
std::size_t compare_all(const ComponentCase& given, const ComponentOutputs& outputs, VerifyReport& report) {
    const std::size_t before = report.rows.size();
    for (const auto& entry : given.io->entries()) {
        const auto found = outputs.find(entry.name);
        if (found != outputs.end())
            report.rows.push_back(
                compare_tensor(given.component, entry.name, found->second, given.io->read(entry.name)));
    }
    return report.rows.size() - before;
}

}  // namespace

bool is_component_case(const fs::path& case_dir) {
    std::error_code ignored;
    return fs::is_directory(case_dir, ignored) && !fs::exists(case_dir / "request.json", ignored) &&
           !component_names(case_dir).empty();
}

VerifyReport verify_components(const fs::path& case_dir, const CancellationToken& stop) {
    VerifyReport report{.case_dir = case_dir};
    for (const auto& name : component_names(case_dir)) {
        stop.throw_if_requested();
        const auto given = open_case(case_dir, name);
        BlockRecorder probe;
        const auto outputs = with_recorded_inputs(given.io->files().front(), [&] {
            return run_component(given, {probe, stop, name});
        });
        compare_all(given, probe.blocks(), report);
        if (compare_all(given, outputs, report) == 0)
            throw Error(ErrorCode::missing_keys,
                        given.io->files().front().string() + " contains no result to compare with");
    }
    report.passed = !report.rows.empty() &&
                    std::all_of(report.rows.begin(), report.rows.end(), [](const auto& row) { return row.passed; });
    return report;
}

}  // namespace kinescope
