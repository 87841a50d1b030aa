#include "core/jobs/queue/file_checkpoint_store.h"

#include <ATen/ATen.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <utility>

#include "core/base/file_presence.h"
#include "core/base/log_line.h"
#include "core/base/mapped_file.h"
#include "core/device/host_copy.h"
#include "core/jobs/queue/saved_setup.h"
#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

using Tensors = std::map<std::string, Tensor>;
using Metadata = std::map<std::string, std::string>;

constexpr const char* kConditioningFile = "conditioning.safetensors";
constexpr const char* kConditioningCopy = "conditioning-copy.safetensors";
constexpr const char* kStepFile = "step.safetensors";
constexpr const char* kPreviousStep = "step-before.safetensors";
constexpr const char* kChecksum = "checksum";
constexpr const char* kDetailPrefix = "details.";
constexpr const char* kModelOutputPrefix = "scheduler.model_outputs.";
constexpr const char* kOffsetPrefix = "cache.offsets.";
constexpr std::array kBranches = {Branch::cond, Branch::uncond, Branch::skip};

/// Calls `visit` with the name of each tensor of Conditioning. Writing and reading share this function, so their names
/// cannot differ.
template <class Conditions, class Visit>
void visit_tensors(Conditions& conditioning, Visit visit) {
    visit("prompt_embeds", conditioning.prompt_embeds);
    visit("negative_prompt_embeds", conditioning.negative_prompt_embeds);
    visit("prompt_embeds_2", conditioning.prompt_embeds_2);
    visit("negative_prompt_embeds_2", conditioning.negative_prompt_embeds_2);
    visit("image_embeds", conditioning.image_embeds);
    visit("condition", conditioning.condition);
    visit("video_latents", conditioning.video_latents);
    visit("control_scale", conditioning.control_scale);
    visit("added_time_ids", conditioning.added_time_ids);
    visit("input_ids", conditioning.input_ids);
    visit("attention_mask", conditioning.attention_mask);
}

/// Adds a tensor, and records its device so that get() can restore the tensor to it.
void put(Tensors& tensors, Metadata& metadata, const std::string& name, const Tensor& tensor) {
    if (!tensor.defined()) return;
    tensors[name] = tensor;
    if (!tensor.is_cpu()) metadata["device." + name] = tensor.device().str();
}

void put(Tensors& tensors, Metadata& metadata, const std::string& prefix, const std::vector<Tensor>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) put(tensors, metadata, prefix + std::to_string(i), list[i]);
}

/// An open file of a checkpoint.
struct CheckpointPart {
    std::shared_ptr<const CheckpointReader> reader;
    std::optional<Device> moved_to;  ///< the file was made on another device; its tensors are moved to this one
    const std::map<std::string, std::string>& metadata() const { return reader->metadata(); }
};

/// Returns a copy of a tensor, because the file will be replaced. Returns an undefined tensor if the file does not
/// contain it.
Tensor get(const CheckpointPart& file, const std::string& name) {
    for (const TensorEntry& entry : file.reader->entries()) {
        if (entry.name != name) continue;
        const Tensor tensor = file.reader->read(name).clone();
        // The state of the noise source is always on the CPU.
        if (file.moved_to) return name == "noise" ? tensor : tensor.to(*file.moved_to);
        const auto device = file.metadata().find("device." + name);
        return device == file.metadata().end() ? tensor : tensor.to(Device(device->second));
    }
    return {};
}

Tensor required(const CheckpointPart& file, const std::string& name) {
    Tensor tensor = get(file, name);
    if (!tensor.defined()) throw JsonError("'" + name + "' is missing");
    return tensor;
}

std::vector<Tensor> required(const CheckpointPart& file, const std::string& prefix, int count) {
    std::vector<Tensor> list;
    for (int i = 0; i < count; ++i) list.push_back(required(file, prefix + std::to_string(i)));
    return list;
}

std::vector<std::string> names_of(const std::vector<Branch>& branches) {
    std::vector<std::string> names;
    for (const Branch branch : branches) names.push_back(to_string(branch));
    return names;
}

std::vector<Branch> branches_from(const std::vector<std::string>& names) {
    std::vector<Branch> branches;
    for (const std::string& name : names) {
        const auto* const found = std::ranges::find(kBranches, name, [](Branch branch) { return to_string(branch); });
        if (found == kBranches.end()) throw JsonError("'" + name + "' is not a branch of guidance");
        branches.push_back(*found);
    }
    return branches;
}

/// Checkpoints of earlier versions do not name the branches.
PredictionCacheState get_cache(const CheckpointPart& file, const Json& json) {
    PredictionCacheState cache{.latents = get(file, "cache.latents"),
                               .prediction = get(file, "cache.prediction"),
                               .offsets = required(file, kOffsetPrefix, json.at("num_offsets")),
                               .rate = json.at("rate"),
                               .expected_error = json.at("expected_error"),
                               .expert = json.at("expert")};
    if (!json.contains("branches")) return cache;
    cache.branches = branches_from(json.at("branches"));
    cache.has_nag = json.at("nag");
    if (cache.branches.size() != cache.offsets.size()) throw JsonError("'branches' does not fit 'num_offsets'");
    return cache;
}

Json position_json(const RunPosition& position) {
    return {{"step", position.step},
            {"this_order", position.scheduler.this_order},
            {"lower_order_nums", position.scheduler.lower_order_nums},
            {"num_model_outputs", position.scheduler.model_outputs.size()},
            {"cache",
             {{"num_offsets", position.cache.offsets.size()},
              {"branches", names_of(position.cache.branches)},
              {"nag", position.cache.has_nag},
              {"rate", position.cache.rate},
              {"expected_error", position.cache.expected_error},
              {"expert", position.cache.expert}}},
            {"recorder", to_json(position.numerics)},
            {"seconds_by_phase", position.seconds_by_phase}};
}

void put_position(Tensors& tensors, Metadata& metadata, const RunPosition& position) {
    put(tensors, metadata, "latents", position.latents);
    put(tensors, metadata, "clean", position.clean);
    put(tensors, metadata, "noise", position.noise);
    put(tensors, metadata, "scheduler.last_sample", position.scheduler.last_sample);
    put(tensors, metadata, kModelOutputPrefix, position.scheduler.model_outputs);
    put(tensors, metadata, "cache.latents", position.cache.latents);
    put(tensors, metadata, "cache.prediction", position.cache.prediction);
    put(tensors, metadata, kOffsetPrefix, position.cache.offsets);
    put(tensors, metadata, "guidance.average", position.guidance.average);
    metadata["position"] = position_json(position).dump();
    metadata["step"] = std::to_string(position.step);
}

RunPosition get_position(const CheckpointPart& file) {
    const Json json = parse_json(file.metadata().at("position"));
    RunPosition position{.step = json.at("step"), .latents = get(file, "latents"), .scheduler = {}, .numerics = {}};
    position.clean = get(file, "clean");
    position.noise = required(file, "noise");
    position.scheduler.last_sample = get(file, "scheduler.last_sample");
    position.scheduler.model_outputs = required(file, kModelOutputPrefix, json.at("num_model_outputs"));
    position.cache = get_cache(file, json.at("cache"));
    position.guidance.average = get(file, "guidance.average");
    position.scheduler.this_order = json.at("this_order");
    position.scheduler.lower_order_nums = json.at("lower_order_nums");
    position.numerics = numerics_state_from(json.at("recorder"));
    position.seconds_by_phase = json.at("seconds_by_phase").get<std::map<std::string, double>>();
    return position;
}

Conditioning get_conditioning(const CheckpointPart& file) {
    Conditioning conditioning;
    visit_tensors(conditioning, [&](const char* name, Tensor& tensor) { tensor = get(file, name); });
    for (const TensorEntry& entry : file.reader->entries()) {
        if (!entry.name.starts_with(kDetailPrefix)) continue;
        conditioning.details[entry.name.substr(std::string_view(kDetailPrefix).size())] = get(file, entry.name);
    }
    return conditioning;
}

/// The CRC-32 of names, dtypes, shapes, values and metadata.
class Checksum {
public:
    void add(const void* bytes, std::size_t count) {
        if (count > 0)
            crc_ = ::crc32_z(crc_, static_cast<const Bytef*>(bytes),
                             count);  // zlib would restart the checksum for 0 bytes
    }
    void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
    void add(const std::string& name, const Tensor& tensor) {
        add(name);
        add(c10::toString(tensor.scalar_type()));
        for (const std::int64_t size : tensor.sizes()) add(&size, sizeof size);
        add(tensor.const_data_ptr(), tensor.nbytes());
    }
    void add(const Metadata& metadata) {
        for (const auto& [key, value] : metadata) {
            if (key == kChecksum) continue;
            add(key);
            add(value);
        }
    }
    std::string text() const {
        std::array<char, 17> digits{};
        std::snprintf(digits.data(), digits.size(), "%08lx", crc_);
        return digits.data();
    }

private:
    uLong crc_ = 0;
};

/// Copies of named tensors on the host, see HostCopies.
class NamedCopies {
public:
    explicit NamedCopies(const Tensors& tensors) {
        std::vector<Tensor> values;
        for (const auto& [name, tensor] : tensors) {
            names_.push_back(name);
            values.push_back(tensor);
        }
        copies_ = HostCopies(values);
    }

    /// Waits until the copies are complete.
    Tensors wait() const {
        Tensors host;
        for (auto copy = copies_.wait().begin(); const std::string& name : names_) host[name] = *copy++;
        return host;
    }

private:
    std::vector<std::string> names_;
    HostCopies copies_;
};

void write_with_checksum(const fs::path& file, const Tensors& tensors, Metadata metadata) {
    Checksum checksum;
    for (const auto& [name, tensor] : tensors) checksum.add(name, tensor);
    checksum.add(metadata);
    metadata[kChecksum] = checksum.text();
    write_safetensors(file, tensors, metadata, FileAccess::owner_only);
}

/// Opens a file. Throws Error(file_changed) instead of an error about its contents if they cannot be read now.
std::shared_ptr<const SafetensorsReader> open_checkpoint_file(const fs::path& file) {
    const FileWatch watch({file});
    try {
        return std::make_shared<SafetensorsReader>(file);
    } catch (const Error&) {
        watch.check();
        throw;
    }
}

std::string checksum_of(const CheckpointReader& file) {
    std::map<std::string, Tensor> tensors;
    for (const TensorEntry& entry : file.entries()) tensors[entry.name] = file.read(entry.name);
    Checksum checksum;
    for (const auto& [name, tensor] : tensors) checksum.add(name, tensor);
    checksum.add(file.metadata());
    return checksum.text();
}

/// Describes a file that cannot be read. The messages about weights, which people download, would mislead.
std::string damage_of(const fs::path& file, const Error& error) {
    const std::string name = "the state of the job saved in " + file.string() + " is damaged: ";
    switch (error.code()) {
        case ErrorCode::checkpoint_truncated:
            return name + "its end is missing";
        case ErrorCode::checkpoint_corrupt:
            return name + "its contents are invalid";
        default:
            return name + error.message();
    }
}

/// Returns the error of steps that cannot be read now.
Error not_readable_now(const fs::path& folder, const Error& error) {
    return {ErrorCode::file_unreadable,
            "the steps saved in " + folder.string() + " cannot be read now: " + error.message(),
            "They are kept. Continue the job when they can be read, or start it over (kinescope-cli resume JOB "
            "--start-over).",
            {{"path", folder.string()}}};
}

/// Finds the first intact file of a list, and describes those before it that are damaged or cannot be read now.
class CheckpointFiles {
public:
    CheckpointFiles(const fs::path& folder, const RunFingerprint& fingerprint, const Device& device)
        : folder_(folder), fingerprint_(fingerprint), device_(device) {}

    /// Opens the first intact file. Returns nullopt if all are missing or damaged. Throws Error(file_unreadable) if
    /// none is intact and one of them cannot be read now, and Error(bad_config) for a file that another program, model
    /// or request made.
    std::optional<CheckpointPart> open_first(std::initializer_list<const char*> names) {
        std::optional<Error> unreadable;
        for (const char* name : names)
            if (auto reader = open_intact(folder_ / name, unreadable)) return accepted(std::move(reader));
        if (unreadable) throw not_readable_now(folder_, *unreadable);
        return std::nullopt;
    }
    /// Throws Error(file_unreadable) if the contents of an opened file could not be read meanwhile.
    void check() const {
        try {
            for (const FileWatch& watch : opened_) watch.check();
        } catch (const Error& error) {
            throw not_readable_now(folder_, error);
        }
    }
    const std::vector<std::string>& damage() const { return damage_; }
    /// Returns the device that made a file, if it is not the one of this run; otherwise an empty string.
    const std::string& other_device() const { return other_device_; }
    /// Returns the files of the model that were modified since a file was made, and of which only samples are compared.
    const std::set<fs::path>& modified() const { return modified_; }

private:
    /// Returns nullptr if the file is missing or damaged, or cannot be read now.
    std::shared_ptr<const SafetensorsReader> open_intact(const fs::path& file, std::optional<Error>& unreadable) {
        try {
            if (!has_entry(file)) return nullptr;
            const FileWatch watch({file});
            auto reader = open_checkpoint_file(file);
            const auto kept = reader->metadata().find(kChecksum);
            const bool is_intact = kept != reader->metadata().end() && kept->second == checksum_of(*reader);
            watch.check();  // unreadable contents are zeros
            if (is_intact) {
                opened_.push_back(watch);
                return reader;
            }
            damage_.push_back("the state of the job saved in " + file.string() +
                              " is damaged: its checksum does not match");
        } catch (const Error& error) {
            if (is_of_reading(error)) unreadable = error;
            damage_.push_back(is_of_reading(error) ? error.message() : damage_of(file, error));
        }
        return nullptr;
    }

    CheckpointPart accepted(std::shared_ptr<const CheckpointReader> reader) {
        const Metadata& metadata = reader->metadata();
        const bool is_of_this_device = is_same_run(metadata, fingerprint_);
        if (!is_of_this_device) require_other_device(metadata);
        require_same_request(metadata, fingerprint_, folder_);
        modified_.merge(modified_since(metadata, fingerprint_));
        return {std::move(reader), is_of_this_device ? std::nullopt : std::optional(device_)};
    }

    /// Notes the device that made a file. Throws Error(bad_config) if something else differs, too.
    void require_other_device(const Metadata& metadata) {
        require_same_model(metadata, fingerprint_, folder_);
        const std::string made_on = device_of(metadata);
        if (made_on.empty() || made_on == fingerprint_.device) throw_other_setup(folder_);
        other_device_ = made_on;
    }

    const fs::path& folder_;
    const RunFingerprint& fingerprint_;
    const Device& device_;
    std::string other_device_;
    std::set<fs::path> modified_;
    std::vector<std::string> damage_;
    std::vector<FileWatch> opened_;
};

RunCheckpoint read_checkpoint(const CheckpointPart& conditioning, const CheckpointPart& step, const fs::path& folder) {
    try {
        RunCheckpoint kept{.conditioning = get_conditioning(conditioning),
                           .noise_after_encode = required(conditioning, "noise"),
                           .position = get_position(step)};
        if (kept.position.step > 0 && !kept.position.latents.defined()) throw JsonError("'latents' is missing");
        return kept;
    } catch (const std::out_of_range& error) {
        throw not_usable(folder, error.what());
    } catch (const JsonError& error) {
        throw not_usable(folder, error.what());
    } catch (const Json::exception& error) {
        throw not_usable(folder, error.what());
    }
}

std::string continuation_text(const RunPosition& position) {
    return position.step > 0 ? "the job continues after step " + std::to_string(position.step)
                             : "the job continues before its first step";
}

/// Appends the consequence to each description of a damaged file.
std::vector<std::string> warnings_about(std::vector<std::string> damage, const std::string& consequence) {
    for (std::string& warning : damage) warning += "; " + consequence;
    return damage;
}

bool has_step(const fs::path& folder) {
    return presence_of(folder / kStepFile) != Presence::missing ||
           presence_of(folder / kPreviousStep) != Presence::missing;
}

std::string missing_conditioning(const fs::path& folder) {
    return "the steps saved in " + folder.string() + " cannot be continued: the encoded prompt is missing";
}

/// Renames the file of the last step to that of the previous step, so that damage to the newest file costs only one
/// step. After a crash before the new step is written, only the previous step exists.
void make_room_for_step(const fs::path& folder) {
    std::error_code ignored;  // there is no file before the first step
    fs::rename(folder / kStepFile, folder / kPreviousStep, ignored);
}

}  // namespace

LoadedCheckpoint FileCheckpointStore::load() {
    finish();
    CheckpointFiles files(folder_, fingerprint_, device_);
    const auto conditioning = files.open_first({kConditioningFile, kConditioningCopy});
    if (!conditioning) {
        auto reasons = files.damage();
        if (reasons.empty() && has_step(folder_)) reasons.push_back(missing_conditioning(folder_));
        clear();
        return {.checkpoint = std::nullopt, .warnings = warnings_about(std::move(reasons), "the job starts over")};
    }
    const auto step = files.open_first({kStepFile, kPreviousStep});
    RunCheckpoint kept = read_checkpoint(*conditioning, step ? *step : *conditioning, folder_);
    files.check();
    auto warnings = warnings_about(files.damage(), continuation_text(kept.position));
    if (!files.other_device().empty())
        warnings.push_back(device_warning(files.other_device(), fingerprint_.device, kept.position.step));
    if (!files.modified().empty()) warnings.push_back(modified_warning(files.modified()));
    return {.checkpoint = std::move(kept), .warnings = std::move(warnings)};
}

void FileCheckpointStore::save_conditioning(const Conditioning& conditioning, const RunPosition& position) {
    Tensors tensors;
    Metadata metadata = saved_setup(fingerprint_);
    visit_tensors(conditioning, [&](const char* name, const Tensor& tensor) { put(tensors, metadata, name, tensor); });
    for (const auto& [name, tensor] : conditioning.details) put(tensors, metadata, kDetailPrefix + name, tensor);
    put_position(tensors, metadata, position);
    const Tensors host = NamedCopies(tensors).wait();
    for (const char* name : {kConditioningCopy, kConditioningFile}) write_with_checksum(folder_ / name, host, metadata);
}

void FileCheckpointStore::save_step(const RunPosition& position) {
    Tensors tensors;
    Metadata metadata = saved_setup(fingerprint_);
    put_position(tensors, metadata, position);
    std::exception_ptr before;
    try {
        finish();
    } catch (const Error&) {
        before = std::current_exception();
    }
    writing_ = std::async(std::launch::async, [folder = folder_, copies = NamedCopies(tensors), metadata] {
        make_room_for_step(folder);
        write_with_checksum(folder / kStepFile, copies.wait(), metadata);
    });
    if (before) std::rethrow_exception(before);
}

void FileCheckpointStore::finish() {
    if (writing_.valid()) writing_.get();
}

FileCheckpointStore::~FileCheckpointStore() {
    try {
        finish();
    } catch (const std::exception& error) {
        log_warning(std::string(error.what()) + "; the last step is not saved");
    }
}

void FileCheckpointStore::clear() {
    finish();
    remove_checkpoint_files(folder_);
}

int saved_step(const fs::path& folder) {
    if (!has_checkpoint(folder)) return 0;
    std::optional<Error> unreadable;
    for (const char* name : {kStepFile, kPreviousStep}) {
        try {
            if (!has_entry(folder / name)) continue;
            return std::stoi(open_checkpoint_file(folder / name)->metadata().at("step"));
        } catch (const Error& error) {
            if (is_of_reading(error)) unreadable = error;
        } catch (const std::exception&) {
            continue;  // its metadata are damaged
        }
    }
    if (unreadable) throw *unreadable;
    return 0;
}

bool has_checkpoint(const fs::path& folder) {
    const fs::path file = folder / kConditioningFile;
    return presence_of(file) == Presence::there || has_entry(folder / kConditioningCopy) || has_entry(file);
}

void remove_checkpoint_files(const fs::path& folder) {
    std::error_code ignored;
    // The steps are removed first: if this is interrupted, the conditioning that is left is a valid checkpoint before
    // the first step.
    for (const char* name : {kPreviousStep, kStepFile, kConditioningCopy, kConditioningFile})
        fs::remove(folder / name, ignored);
}

}  // namespace kinescope
