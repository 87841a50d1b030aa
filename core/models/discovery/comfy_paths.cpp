#include "core/models/discovery/comfy_paths.h"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "core/api/error.h"
#include "core/api/normal_path.h"
#include "core/base/environment.h"
#include "core/base/regular_file.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMaxBytes = 256 * 1024;
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxFolders = 256;
constexpr std::size_t kMaxShown = 40;

/// The kinds that Kinescope uses, and their present names.
const std::map<std::string, std::string, std::less<>>& kinds() {
    static const std::map<std::string, std::string, std::less<>> table{
        {"checkpoints", "checkpoints"},
        {"diffusers", "diffusers"},
        {"diffusion_models", "diffusion_models"},
        {"loras", "loras"},
        {"upscale_models", "upscale_models"},
        {"unet", "diffusion_models"},
        {"clip", "text_encoders"},
        {"text_encoders", "text_encoders"},
        {"clip_vision", "clip_vision"},
        {"vae", "vae"},
        {"vae_approx", "vae_approx"},
    };
    return table;
}

enum class YamlKind { scalar, map_begin, map_end, list_begin, list_end, alias, document_begin, document_end, end };

struct YamlEvent {
    YamlKind kind = YamlKind::end;
    std::string text;       ///< of a scalar
    bool is_plain = false;  ///< the scalar has no quotes, so that it may be null
    std::size_t line = 0;   ///< 1-based

    bool is_null() const {
        static constexpr std::array kNulls{"", "~", "null", "Null", "NULL"};
        return kind == YamlKind::scalar && is_plain && std::ranges::find(kNulls, text) != kNulls.end();
    }
    bool begins() const { return kind == YamlKind::map_begin || kind == YamlKind::list_begin; }
    bool ends() const { return kind == YamlKind::map_end || kind == YamlKind::list_end; }
};

/// The events of a YAML text. libyaml does not follow aliases and is not recursive.
class YamlEvents {
public:
    YamlEvents(fs::path file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
        if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
        yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text_.data()), text_.size());
    }
    YamlEvents(const YamlEvents&) = delete;
    YamlEvents& operator=(const YamlEvents&) = delete;
    ~YamlEvents() { yaml_parser_delete(&parser_); }

    YamlEvent next() {
        yaml_event_t raw;
        do {
            if (yaml_parser_parse(&parser_, &raw) == 0) refuse(line_of_problem(), problem());
        } while (raw.type == YAML_STREAM_START_EVENT);
        YamlEvent event = converted(raw);
        yaml_event_delete(&raw);
        depth_ += (event.begins() ? 1 : 0) - (event.ends() ? 1 : 0);
        if (depth_ > kMaxDepth) refuse(event.line, "is nested too deeply");
        return event;
    }

    [[noreturn]] void refuse(std::size_t line, const std::string& reason) const {
        throw Error(ErrorCode::bad_config, file_.string() + ", line " + std::to_string(line) + ": " + reason,
                    "Correct the file, or remove it. ComfyUI describes the format in extra_model_paths.yaml.example.",
                    {{"file", file_.string()}, {"line", std::to_string(line)}});
    }

private:
    static YamlKind kind_of(yaml_event_type_t type) {
        switch (type) {
            case YAML_SCALAR_EVENT:
                return YamlKind::scalar;
            case YAML_MAPPING_START_EVENT:
                return YamlKind::map_begin;
            case YAML_MAPPING_END_EVENT:
                return YamlKind::map_end;
            case YAML_SEQUENCE_START_EVENT:
                return YamlKind::list_begin;
            case YAML_SEQUENCE_END_EVENT:
                return YamlKind::list_end;
            case YAML_ALIAS_EVENT:
                return YamlKind::alias;
            case YAML_DOCUMENT_START_EVENT:
                return YamlKind::document_begin;
            case YAML_DOCUMENT_END_EVENT:
                return YamlKind::document_end;
            case YAML_NO_EVENT:
            case YAML_STREAM_START_EVENT:
            case YAML_STREAM_END_EVENT:
                break;
        }
        return YamlKind::end;
    }

    static YamlEvent converted(const yaml_event_t& raw) {
        YamlEvent event{.kind = kind_of(raw.type), .text = {}, .line = raw.start_mark.line + 1};
        if (event.kind != YamlKind::scalar) return event;
        const auto& scalar = raw.data.scalar;
        event.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
        event.is_plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return event;
    }

    std::string problem() const {
        std::string text = parser_.problem == nullptr ? "not YAML" : parser_.problem;
        if (parser_.error == YAML_READER_ERROR) text += " (the file must be UTF-8 text)";
        return text;
    }

    /// Encoding errors have only an offset in bytes.
    std::size_t line_of_problem() const {
        if (parser_.error != YAML_READER_ERROR) return parser_.problem_mark.line + 1;
        const auto end = std::min(parser_.problem_offset, text_.size());
        return 1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<long>(end), '\n'));
    }

    fs::path file_;
    std::string text_;
    yaml_parser_t parser_{};
    int depth_ = 0;
};

bool is_name_letter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Returns the variable that begins at text[at], "$NAME" or "${NAME}", and its length; an empty name if there is none.
std::pair<std::string, std::size_t> variable_at(const std::string& text, std::size_t at) {
    const bool has_brace = text.compare(at, 2, "${") == 0;
    const std::size_t begin = at + (has_brace ? 2 : 1);
    std::size_t end = begin;
    while (end < text.size() && is_name_letter(text[end])) ++end;
    if (has_brace && (end == text.size() || text[end] != '}')) return {};
    return {text.substr(begin, end - begin), end + (has_brace ? 1 : 0) - at};
}

/// Replaces a leading ~ by the home folder, and variables that are set by their values.
std::string expanded(std::string text) {
    const std::string home = environment_variable("HOME");
    if (!home.empty() && (text == "~" || text.starts_with("~/"))) text = home + text.substr(1);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto [name, length] = text[at] == '$' ? variable_at(text, at) : std::pair<std::string, std::size_t>();
        const std::string value = name.empty() ? std::string() : environment_variable(name);
        result += value.empty() ? std::string(1, text[at]) : value;
        at += value.empty() ? 1 : length;
    }
    return result;
}

/// Cuts a text for a message, between two characters.
std::string shortened(const std::string& text) {
    if (text.size() <= kMaxShown) return text;
    std::size_t end = kMaxShown;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "...";
}

std::string trimmed(std::string_view line) {
    constexpr auto kSpace = " \t\r";
    const auto begin = line.find_first_not_of(kSpace);
    if (begin == line.npos) return {};
    return std::string(line.substr(begin, line.find_last_not_of(kSpace) - begin + 1));
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        if (auto line = trimmed(text.substr(0, end)); !line.empty()) lines.push_back(std::move(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// A section of the file.
struct Section {
    std::string base;
    bool is_default = false;
    std::vector<KindFolder> entries;  ///< with the paths as written
};

class ListReader {
public:
    explicit ListReader(const fs::path& file)
        : folder_(fs::absolute(file).parent_path()), events_(file, read_regular_file(file, kMaxBytes)) {}

    std::vector<KindFolder> read() {
        YamlEvent event = events_.next();
        if (event.kind == YamlKind::end) return {};
        event = events_.next();  // after the beginning of the document
        if (!event.is_null()) {
            if (event.kind != YamlKind::map_begin) events_.refuse(event.line, "expected sections such as 'comfyui:'");
            for (event = events_.next(); event.kind != YamlKind::map_end; event = events_.next()) read_section(event);
        }
        events_.next();  // the end of the document
        if (event = events_.next(); event.kind != YamlKind::end)
            events_.refuse(event.line, "contains several documents");
        std::vector<KindFolder> all = std::move(default_);
        all.insert(all.end(), other_.begin(), other_.end());
        return all;
    }

private:
    std::string name_of(const YamlEvent& key) const {
        if (key.kind != YamlKind::scalar) events_.refuse(key.line, "expected a name followed by a colon");
        return key.text;
    }

    std::string text_of(const YamlEvent& value, const std::string& key) const {
        if (value.kind == YamlKind::alias)
            events_.refuse(value.line, "'" + key + "' is an alias; write the path itself");
        if (value.kind != YamlKind::scalar)
            events_.refuse(value.line, "'" + key + "' is not a path, or several lines with a path each after '|'");
        if (value.text.find('\0') != std::string::npos)
            events_.refuse(value.line, "'" + key + "' contains a null character");
        return value.is_null() ? std::string() : value.text;
    }

    bool truth_of(const YamlEvent& value) const {
        static constexpr std::array kTrue{"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"};
        static constexpr std::array kFalse{"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"};
        const std::string text = text_of(value, "is_default");
        const bool is_true = std::ranges::find(kTrue, text) != kTrue.end();
        if (!is_true && !text.empty() && std::ranges::find(kFalse, text) == kFalse.end())
            events_.refuse(value.line, "'is_default' is neither true nor false");
        return is_true;
    }

    /// Skips the rest of a value of which `event` is the first event.
    void skip(const YamlEvent& event) {
        int depth = event.begins() ? 1 : 0;
        while (depth > 0) {
            const YamlEvent next = events_.next();
            depth += (next.begins() ? 1 : 0) - (next.ends() ? 1 : 0);
        }
    }

    void read_section(const YamlEvent& key) {
        const std::string name = shortened(name_of(key));
        YamlEvent event = events_.next();
        if (event.is_null()) return;
        if (event.kind != YamlKind::map_begin)
            events_.refuse(event.line, "the section '" + name + "' contains no lines such as 'vae: models/vae'");
        Section section;
        for (event = events_.next(); event.kind != YamlKind::map_end; event = events_.next())
            read_entry(name_of(event), section);
        add(section);
    }

    void read_entry(const std::string& key, Section& section) {
        const YamlEvent value = events_.next();
        if (key == "base_path") {
            section.base = trimmed(text_of(value, key));
        } else if (key == "is_default") {
            section.is_default = truth_of(value);
        } else if (const auto kind = kinds().find(key); kind != kinds().end()) {
            for (std::string& line : lines_of(text_of(value, key)))
                section.entries.push_back({kind->second, std::move(line)});
            if (section.entries.size() + default_.size() + other_.size() > kMaxFolders)
                events_.refuse(value.line, "there are more than " + std::to_string(kMaxFolders) + " folders");
        } else {
            skip(value);
        }
    }

    void add(const Section& section) {
        const fs::path base = folder_ / expanded(section.base);
        for (const KindFolder& entry : section.entries) {
            fs::path path = normal_path(base / entry.folder);
            if (!path.has_filename()) path = path.parent_path();  // "models/vae/"
            (section.is_default ? default_ : other_).push_back({entry.kind, std::move(path)});
        }
    }

    fs::path folder_;
    YamlEvents events_;
    std::vector<KindFolder> default_;
    std::vector<KindFolder> other_;
};

}  // namespace

std::vector<KindFolder> read_comfy_paths(const fs::path& file) {
    return ListReader(file).read();
}

}  // namespace kinescope
