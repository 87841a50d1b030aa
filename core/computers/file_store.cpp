#include "core/computers/file_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <system_error>

#include "core/api/error.h"
#include "core/base/local_socket.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/computers/file_names.h"
#include "core/computers/part_file.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_file(const std::string& name, const std::string& why) {
    throw Error(ErrorCode::bad_request, "the file \"" + name.substr(0, 120) + "\" is refused: " + why, {},
                {{"name", name.substr(0, 120)}});
}

/// A file has its final name only when it is whole.
bool is_whole(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(file, ignored));
}

void require_token(const std::string& token) {
    if (!is_token(token)) refuse_file(token, "this is not the token of a job");
}

void require_input(const std::string& name) {
    if (check_name(name) != FileKind::input) refuse_file(name, "only inputs are stored");
}

/// Regular files in a folder and its folders, without following links.
void add_results(const fs::path& folder, const std::string& prefix, int levels, std::vector<StoredFile>& files) {
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        const std::string name = prefix + "/" + entry.path().filename().string();
        std::error_code ignored;
        const fs::file_status status = entry.symlink_status(ignored);
        if (fs::is_directory(status) && levels > 0) add_results(entry.path(), name, levels - 1, files);
        if (!fs::is_regular_file(status) || files.size() >= kMostFiles) continue;
        try {
            check_name(name);
        } catch (const Error&) {
            continue;  // an unfinished file of the engine
        }
        files.push_back({name, static_cast<std::int64_t>(entry.file_size(ignored)), sha256_of_file(entry.path())});
    }
}

/// Runs `write`. Its errors about a full or read-only folder name the shared storage if the folder is there.
void name_place(StoragePlace place, const std::function<void()>& write) {
    try {
        write();
    } catch (const Error& error) {
        const bool is_full = error.code() == ErrorCode::disk_full;
        if (place != StoragePlace::cluster || (!is_full && error.code() != ErrorCode::output_not_writable)) throw;
        auto arguments = error.arguments();
        arguments["storage"] = "shared";
        throw Error(error.code(), "the shared storage is not usable: " + error.message(),
                    is_full ? "Free space on the shared storage, or ask for a larger quota." : error.hint(),
                    std::move(arguments));
    }
}

}  // namespace

FileStore::FileStore(fs::path folder, StoragePlace place) : folder_(std::move(folder)), place_(place) {
    name_place(place_, [this] {
        make_private_folder(folder_);
        for (const char* kind : {"inputs", "results"}) make_private_folder(folder_ / kind);
    });
}

fs::path FileStore::path_of(const std::string& name) const {
    check_name(name);
    return folder_ / name;
}

std::optional<std::int64_t> FileStore::free_bytes() const {
    std::error_code failure;
    const auto space = fs::space(folder_, failure);
    if (failure) return std::nullopt;
    return static_cast<std::int64_t>(std::min<std::uintmax_t>(space.available, INT64_MAX));
}

/// Sets the time of the input that contains a path: a file, or a folder of pictures.
void FileStore::renew(const fs::path& path) {
    const fs::path inputs = folder_ / "inputs";
    const fs::path below = path.lexically_relative(inputs);
    if (below.empty() || *below.begin() == ".." || *below.begin() == ".") return;
    std::error_code ignored;
    const fs::path input = inputs / *below.begin();
    if (fs::exists(input, ignored)) fs::last_write_time(input, fs::file_time_type::clock::now(), ignored);
}

void FileStore::note_use(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    renew(path);
}

void FileStore::forget_inputs(int days) {
    const std::lock_guard lock(mutex_);
    const auto oldest = fs::file_time_type::clock::now() - std::chrono::days(days);
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder_ / "inputs", failure)) {
        std::error_code unknown, ignored;
        if (entry.last_write_time(unknown) < oldest && !unknown) fs::remove_all(entry.path(), ignored);
    }
}

FileStore::Arrived FileStore::arrived(const std::string& name) {
    require_input(name);
    const std::lock_guard lock(mutex_);
    const fs::path file = folder_ / name;
    if (is_whole(file)) {
        renew(file);
        return {.is_whole = true};
    }
    return {.bytes = PartFile(file).size()};
}

void FileStore::put(const std::string& name, const FilePart& part) {
    require_input(name);
    if (part.total < 0 || part.total > kLargestFile)
        refuse_file(name, std::to_string(part.total) + " bytes are more than a file may have");
    const auto count = static_cast<std::int64_t>(part.bytes.size());
    if (part.bytes.size() > kLargestPart) refuse_file(name, "a part has more than 4 MiB");
    if (part.offset < 0 || part.offset > part.total || count > part.total - part.offset)
        refuse_file(name, "a part lies outside its " + std::to_string(part.total) + " bytes");
    const std::lock_guard lock(mutex_);
    name_place(place_, [&] { write(name, part); });
}

/// Several computers may send the same input at a time. Its name is its hash, so what another one has sent has the same
/// bytes; only what comes after them is new. finish() checks the whole file.
void FileStore::write(const std::string& name, const FilePart& part) {
    const fs::path file = folder_ / name;
    if (is_whole(file)) return;
    PartFile arrived(file);
    if (arrived.size() > part.total) arrived.clear();
    const std::int64_t known = arrived.size() - part.offset;
    if (known < 0)
        refuse_file(name, "a part begins at byte " + std::to_string(part.offset) + ", but " +
                              std::to_string(arrived.size()) + " bytes have arrived");
    if (const auto free = free_bytes(); free && part.total - part.offset > *free)
        throw Error(
            ErrorCode::disk_full,
            "'" + folder_.string() + "' is full: " + std::to_string(part.total - part.offset) + " bytes are to come",
            "Free some space there.", {{"path", folder_.string()}});
    if (file.parent_path().parent_path() == folder_ / "inputs") make_private_folder(file.parent_path());
    arrived.append(part.bytes.subspan(std::min(part.bytes.size(), static_cast<std::size_t>(known))));
}

void FileStore::finish(const std::string& name, const std::string& sha256) {
    require_input(name);
    if (!is_sha256(sha256)) refuse_file(name, "its hash is not a SHA-256");
    const fs::path file = folder_ / name;
    const bool is_single = file.parent_path() == folder_ / "inputs";
    if (is_single && file.stem() != sha256) refuse_file(name, "its name is not its hash");
    const std::lock_guard lock(mutex_);
    if (is_whole(file)) return;  // another computer sent it too
    PartFile arrived(file);
    if (sha256_of_file(arrived.path()) != sha256) {
        arrived.remove();
        refuse_file(name, "what arrived has another SHA-256");
    }
    arrived.rename(IfTargetExists::replace);
}

std::vector<StoredFile> FileStore::results(const std::string& token) {
    require_token(token);
    std::vector<StoredFile> files;
    add_results(folder_ / "results" / token, "results/" + token, 1, files);
    std::ranges::sort(files, {}, &StoredFile::name);
    return files;
}

std::vector<std::uint8_t> FileStore::get(const std::string& name, std::int64_t offset, std::int64_t count) {
    const fs::path file = path_of(name);
    if (count < 0 || count > static_cast<std::int64_t>(kLargestPart)) refuse_file(name, "a part has more than 4 MiB");
    std::error_code ignored;
    if (!fs::is_regular_file(fs::symlink_status(file, ignored)))
        throw Error(ErrorCode::file_not_found, "there is no file \"" + name + "\"", {}, {{"name", name}});
    const RegularFile opened(file);
    const auto size = static_cast<std::int64_t>(opened.size());
    if (offset < 0 || offset > size || count > size - offset)
        refuse_file(name, "a part lies outside its " + std::to_string(size) + " bytes");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(offset);
    stream.read(reinterpret_cast<char*>(bytes.data()), count);
    if (stream.gcount() != count)
        throw Error(ErrorCode::file_unreadable, "\"" + name + "\" cannot be read", {}, {{"name", name}});
    return bytes;
}

void FileStore::remove_results(const std::string& token) {
    require_token(token);
    std::error_code ignored;
    fs::remove_all(folder_ / "results" / token, ignored);
}

}  // namespace kinescope::computers
