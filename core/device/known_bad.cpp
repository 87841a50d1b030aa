#include "core/device/known_bad.h"

#include <algorithm>
#include <charconv>
#include <sstream>

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

std::string kind_name(DeviceKind kind) {
    switch (kind) {
        case DeviceKind::cpu:
            return "cpu";
        case DeviceKind::cuda:
            return "cuda";
        case DeviceKind::mps:
            return "mps";
    }
    return "";
}

bool matches(const KnownBadRule::Library& library, const std::map<std::string, std::string>& loaded) {
    const auto found = loaded.find(library.name);
    if (found == loaded.end()) return false;
    return compare_versions(found->second, library.from) >= 0 &&
           (library.below.empty() || compare_versions(found->second, library.below) < 0);
}

bool matches(const KnownBadRule& rule, const DeviceCapability& device,
             const std::map<std::string, std::string>& loaded) {
    const auto in_name = [&](const std::string& entry) { return names_device(device.name, entry); };
    if (!rule.device_kind.empty() && rule.device_kind != kind_name(device.kind)) return false;
    if (!rule.names.empty() && std::ranges::none_of(rule.names, in_name)) return false;
    if (rule.capability_below > 0 && device.compute_major * 10 + device.compute_minor >= rule.capability_below)
        return false;
    if (rule.macos_below > 0 && device.macos_major >= rule.macos_below) return false;
    return std::ranges::all_of(rule.libraries, [&](const auto& library) { return matches(library, loaded); });
}

KnownBadRule read_rule(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    KnownBadRule rule{.entry = {.id = reader.text("id", ""),
                                .what = reader.text("what", ""),
                                .cure = reader.text("cure", ""),
                                .link = reader.text("link", "")},
                      .device_kind = reader.text("device", ""),
                      .capability_below = static_cast<int>(reader.integer("capability_below", 0, {0, 999})),
                      .macos_below = static_cast<int>(reader.integer("macos_below", 0, {0, 99}))};
    if (rule.entry.id.empty() || rule.entry.what.empty() || rule.entry.cure.empty() || rule.entry.link.empty())
        reader.refuse("id", "id, what, cure and link are required");
    if (json.contains("names")) rule.names = json["names"].get<std::vector<std::string>>();
    const Json libraries = json.value("libraries", Json::object());
    for (const auto& [name, range] : libraries.items()) {
        const ConfigReader versions(range, file);
        rule.libraries.push_back({name, versions.text("from", "0"), versions.text("below", "")});
    }
    return rule;
}

}  // namespace

int compare_versions(const std::string& a, const std::string& b) {
    const auto left = parts(a);
    const auto right = parts(b);
    return left < right ? -1 : left > right ? 1 : 0;
}

std::vector<KnownBadRule> read_known_bad(const std::filesystem::path& file) {
    const Json json = read_json(file);
    std::vector<KnownBadRule> rules;
    try {
        for (const Json& entry : json.at("entries")) rules.push_back(read_rule(entry, file));
    } catch (const Json::exception& error) {
        throw Error(ErrorCode::bad_config, file.string() + ": " + error.what());
    }
    return rules;
}

std::vector<KnownBad> match_known_bad(const std::vector<KnownBadRule>& rules, const DeviceCapability& device,
                                      const std::map<std::string, std::string>& libraries) {
    std::vector<KnownBad> found;
    for (const auto& rule : rules)
        if (matches(rule, device, libraries)) found.push_back(rule.entry);
    return found;
}

}  // namespace kinescope
