#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace kinescope {

/// The untyped part of CacheFile: named JSON values in one file, the most recently written last.
class CacheDocument {
public:
    struct Format {
        int version = 1;                ///< a file of another version counts as empty
        std::size_t max_entries = 200;  ///< the entries written longest ago are dropped
        /// Returns the name for a value of a plain array, which older versions of the program wrote. If the name is
        /// empty, the value is skipped.
        std::function<std::string(const Json&)> name_of_array_entry = nullptr;
    };
    using Entries = std::vector<std::pair<std::string, Json>>;

    CacheDocument(std::filesystem::path file, Format format) : file_(std::move(file)), format_(std::move(format)) {}

    /// Returns all entries, or none if the file is missing or damaged.
    Entries read() const;
    /// Reads, changes and replaces the file while holding a lock that excludes other threads and processes. Throws
    /// Error or std::filesystem::filesystem_error if the file cannot be written.
    void update(const std::function<void(Entries&)>& change) const;
    /// Deletes the file. Throws Error(output_not_writable).
    void remove() const;

private:
    std::filesystem::path file_;
    Format format_;
};

/// The conversion of an entry to and from JSON. Specialize it for each type of entry with `static Json write(const
/// Entry&)` and `static Entry read(const Json&)`; the latter throws std::exception for a damaged value.
template <class Entry>
struct CacheFormat;

/// A cache of small results by name, in one JSON file: {"version": 1, "entries": [{"name": "...", "value": ...}]}.
/// Files of older programs, which contain a plain object of values, can be read as well. Damaged files and entries
/// count as absent. Several threads and processes can use the file simultaneously.
template <class Entry>
class CacheFile {
public:
    explicit CacheFile(std::filesystem::path file, CacheDocument::Format format = {})
        : document_(std::move(file), std::move(format)) {}

    std::vector<std::pair<std::string, Entry>> entries() const {
        std::vector<std::pair<std::string, Entry>> known;
        for (const auto& [name, value] : document_.read())
            if (auto entry = parse(value)) known.emplace_back(name, std::move(*entry));
        return known;
    }

    std::optional<Entry> find(const std::string& name) const {
        for (const auto& [known, value] : document_.read())
            if (known == name) return parse(value);
        return std::nullopt;
    }

    /// Calls `change` with the current entry, or with nullopt if there is none. Stores the result unless it is nullopt.
    /// Throws like CacheDocument::update.
    void update(const std::string& name,
                const std::function<std::optional<Entry>(std::optional<Entry>)>& change) const {
        document_.update([&](CacheDocument::Entries& all) {
            std::optional<Entry> before;
            for (const auto& [known, value] : all)
                if (known == name) before = parse(value);
            const std::optional<Entry> after = change(std::move(before));
            if (!after) return;
            std::erase_if(all, [&](const auto& one) { return one.first == name; });
            all.emplace_back(name, CacheFormat<Entry>::write(*after));
        });
    }
    void put(const std::string& name, const Entry& entry) const {
        update(name, [&](const std::optional<Entry>&) { return entry; });
    }
    /// Deletes the file. Throws Error(output_not_writable).
    void remove() const { document_.remove(); }

private:
    static std::optional<Entry> parse(const Json& value) {
        try {
            return CacheFormat<Entry>::read(value);
        } catch (const std::exception&) {
            return std::nullopt;
        }
    }

    CacheDocument document_;
};

}  // namespace kinescope
