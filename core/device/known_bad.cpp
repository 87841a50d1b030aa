#include "core/device/known_bad.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope {

namespace {

std::vector<int> parts(const std::string& version) {
    std::vector<int> numbers;
    std::istringstream stream(version);
    for (std::string part; std::getline(stream, part, '.');) {
        int number = 0;
        std::from_chars(part.data(), part.data() + part.size(), number);
        numbers.push_back(number);
    }
    while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
    return numbers;
}

bool matches(const KnownBadRule::Library& library, const std::map<std::string, std::string>& loaded) {
    const auto found = loaded.find(library.name);
    return found != loaded.end() && library.affected.contains(found->second);
}

std::string macos_of(const DeviceCapability& device) {
    return std::to_string(device.macos_major) + "." + std::to_string(device.macos_minor);
}

bool matches(const KnownBadRule& rule, const DeviceCapability& device, const KnownBadContext& context) {
    const auto in_name = [&](const std::string& entry) { return names_device(device.name, entry); };
    const auto has = [&](bool CpuFeatures::*feature) { return device.cpu.*feature; };
    const int capability = device.compute_major * 10 + device.compute_minor;
    if (rule.device && *rule.device != device.kind) return false;
    if (rule.system && *rule.system != context.system) return false;
    if (!rule.names.empty() && std::ranges::none_of(rule.names, in_name)) return false;
    if (!rule.capabilities.empty() && std::ranges::count(rule.capabilities, capability) == 0) return false;
    if (rule.capability_below > 0 && capability >= rule.capability_below) return false;
    if (rule.macos && !rule.macos->contains(macos_of(device))) return false;
    if (!std::ranges::all_of(rule.cpu_features, has)) return false;
    return std::ranges::all_of(rule.libraries,
                               [&](const auto& library) { return matches(library, context.libraries); });
}

constexpr std::pair<const char*, DeviceKind> kDevices[] = {
    {"cpu", DeviceKind::cpu}, {"cuda", DeviceKind::cuda}, {"mps", DeviceKind::mps}};
constexpr std::pair<const char*, OperatingSystem> kSystems[] = {
    {"linux", OperatingSystem::linux_kernel}, {"macos", OperatingSystem::macos}, {"windows", OperatingSystem::windows}};
constexpr std::pair<const char*, bool CpuFeatures::*> kFeatures[] = {{"avx2", &CpuFeatures::avx2},
                                                                     {"avx512", &CpuFeatures::avx512},
                                                                     {"avx512_bf16", &CpuFeatures::avx512_bf16},
                                                                     {"amx_bf16", &CpuFeatures::amx_bf16}};

/// Reads one entry of the table of known bad combinations.
class RuleReader {
public:
    RuleReader(const Json& json, const std::filesystem::path& file) : json_(json), file_(file), reader_(json, file) {}

    KnownBadRule read() const {
        check_keys();
        KnownBadRule rule{
            .entry = {.id = required("id"), .what = required("what"), .fix = required("fix"), .link = required("link")},
            .capability_below = static_cast<int>(reader_.integer("capability_below", 0, kCapability))};
        if (json_.contains("device")) rule.device = word<DeviceKind>(kDevices, "device", reader_.text("device", ""));
        if (json_.contains("system"))
            rule.system = word<OperatingSystem>(kSystems, "system", reader_.text("system", ""));
        if (json_.contains("macos")) rule.macos = versions(json_["macos"]);
        rule.names = texts("names");
        for (const std::int64_t capability : reader_.integers("capabilities", {}, kCapability))
            rule.capabilities.push_back(static_cast<int>(capability));
        for (const std::string& name : texts("cpu_features"))
            rule.cpu_features.push_back(word<bool CpuFeatures::*>(kFeatures, "cpu_features", name));
        const Json libraries = json_.value("libraries", Json::object());
        for (const auto& [name, range] : libraries.items()) rule.libraries.push_back({name, versions(range)});
        return rule;
    }

private:
    static constexpr ConfigReader::Range<std::int64_t> kCapability{0, 999};

    void check_keys() const {
        static const std::set<std::string> known{"id",     "what",         "fix",       "link",
                                                 "device", "system",       "names",     "capabilities",
                                                 "macos",  "cpu_features", "libraries", "capability_below"};
        for (const auto& [key, value] : json_.items())
            if (!known.contains(key)) reader_.refuse(key, "this condition is unknown");
    }

    std::string required(const std::string& key) const {
        std::string text = reader_.text(key, "");
        if (text.empty()) reader_.refuse(key, "id, what, fix and link are required");
        return text;
    }

    std::vector<std::string> texts(const char* key) const {
        return json_.contains(key) ? json_[key].get<std::vector<std::string>>() : std::vector<std::string>();
    }

    KnownBadRule::Versions versions(const Json& range) const {
        const ConfigReader reader(range, file_);
        return {.from = reader.text("from", ""), .below = reader.text("below", "")};
    }

    template <class Value>
    Value word(std::span<const std::pair<const char*, Value>> words, const char* key, const std::string& name) const {
        for (const auto& [known, value] : words)
            if (name == known) return value;
        reader_.refuse(key, "the word '" + name + "' is unknown");
    }

    const Json& json_;
    const std::filesystem::path& file_;
    ConfigReader reader_;
};

}  // namespace

int compare_versions(const std::string& a, const std::string& b) {
    const auto left = parts(a);
    const auto right = parts(b);
    return left < right ? -1 : left > right ? 1 : 0;
}

bool KnownBadRule::Versions::contains(const std::string& version) const {
    return compare_versions(version, from) >= 0 && (below.empty() || compare_versions(version, below) < 0);
}

std::vector<KnownBadRule> read_known_bad(const std::filesystem::path& file) {
    const Json json = read_json(file);
    std::vector<KnownBadRule> rules;
    try {
        for (const Json& entry : json.at("entries")) rules.push_back(RuleReader(entry, file).read());
    } catch (const Json::exception& error) {
        throw Error(ErrorCode::bad_config, file.string() + ": " + error.what());
    }
    return rules;
}

std::vector<KnownBad> match_known_bad(const std::vector<KnownBadRule>& rules, const DeviceCapability& device,
                                      const KnownBadContext& context) {
    std::vector<KnownBad> found;
    for (const auto& rule : rules)
        if (matches(rule, device, context)) found.push_back(rule.entry);
    return found;
}

}  // namespace kinescope
