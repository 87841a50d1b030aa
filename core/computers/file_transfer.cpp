#include "core/computers/file_transfer.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "core/base/frame_files.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/base/stopwatch.h"
#include "core/computers/file_names.h"
#include "core/computers/json_fields.h"
#include "core/computers/part_size.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using protocol::Json;
using remote::AfterLoss;

/// Reads a part of a file that must not get shorter meanwhile.
std::vector<std::uint8_t> read_part(std::ifstream& stream, const fs::path& file, std::int64_t count) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    stream.read(reinterpret_cast<char*>(bytes.data()), count);
    if (stream.gcount() != count)
        throw Error(ErrorCode::file_changed, "'" + file.string() + "' became shorter while it was sent", "Try again.",
                    {{"path", file.string()}});
    return bytes;
}

[[noreturn]] void throw_invalid_answer(const std::string& what) {
    throw Error(ErrorCode::bad_request, "the answer of the other computer is refused: " + what,
                "Install the same version of Kinescope on both computers.");
}

/// The ending of an input's name there: readers go by it. Unusual endings are left out.
std::string ending_of(const fs::path& file) {
    std::string ending = file.extension().string();
    const auto is_usual = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    constexpr std::size_t kMost = 9;
    const bool usual =
        ending.size() > 1 && ending.size() <= kMost && std::all_of(ending.begin() + 1, ending.end(), is_usual);
    return usual ? ending : std::string();
}

/// The frames of a folder in the order in which this computer would read them.
std::vector<fs::path> frames_to_send(const fs::path& folder) {
    std::vector<fs::path> files = frames_in(folder);
    constexpr std::size_t kMost = 10'000;
    if (files.size() > kMost)
        throw Error(ErrorCode::file_unreadable,
                    "'" + folder.string() + "' has " + std::to_string(files.size()) + " frames; 1 to 10000 can be sent",
                    {}, {{"path", folder.string()}});
    return files;
}

void stop_unless(const GoOn& go_on) {
    if (!go_on()) throw Stopped{};
}

}  // namespace

fs::path FileTransfer::folder() {
    return text_in(link_.call("files.about", Json::array(), AfterLoss::ask_again).value, "folder");
}

std::optional<std::int64_t> FileTransfer::free_bytes() {
    const Json about = link_.call("files.about", Json::array(), AfterLoss::ask_again).value;
    if (member_of(about, "free_bytes").is_null()) return std::nullopt;
    return number_in(about, "free_bytes");
}

std::string FileTransfer::sha256_of(const fs::path& file) {
    const Version now{.bytes = RegularFile(file).size(), .changed = fs::last_write_time(file), .sha256 = {}};
    {
        const std::lock_guard lock(mutex_);
        const auto known = hashes_.find(file);
        if (known != hashes_.end() && known->second.bytes == now.bytes && known->second.changed == now.changed)
            return known->second.sha256;
    }
    std::string hash = sha256_of_file(file);
    const std::lock_guard lock(mutex_);
    hashes_[file] = {now.bytes, now.changed, hash};
    return hash;
}

fs::path FileTransfer::send(const fs::path& input, const GoOn& go_on) {
    std::error_code ignored;
    if (fs::is_directory(input, ignored)) return send_folder(input, go_on);
    const std::string hash = sha256_of(input);
    const std::string name = "inputs/" + hash + ending_of(input);
    send_file(input, name, hash, go_on);
    return folder() / name;
}

fs::path FileTransfer::send_folder(const fs::path& input, const GoOn& go_on) {
    const std::vector<fs::path> files = frames_to_send(input);
    Sha256 all;
    for (const fs::path& file : files) {
        const std::string hash = sha256_of(file);
        all.add(std::as_bytes(std::span(hash.data(), hash.size())));
    }
    const std::string prefix = "inputs/" + all.finish();
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::string number = std::to_string(i);
        number.insert(0, 6 - std::min<std::size_t>(6, number.size()), '0');  // keeps the order
        send_file(files[i], prefix + "/" + number + ending_of(files[i]), sha256_of(files[i]), go_on);
    }
    return folder() / prefix;
}

std::mutex& FileTransfer::upload_of(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return uploads_[name];
}

/// A second upload of the same file waits for the first one, because the other computer takes its parts in order.
void FileTransfer::send_file(const fs::path& file, const std::string& name, const std::string& sha256,
                             const GoOn& go_on) {
    const std::lock_guard only_one_sends(upload_of(name));
    const Json arrived = link_.call("files.arrived", Json::array({name}), AfterLoss::ask_again).value;
    if (member_of(arrived, "is_whole") == true) return;
    const auto total = static_cast<std::int64_t>(RegularFile(file).size());
    std::int64_t offset = std::clamp<std::int64_t>(number_in(arrived, "bytes"), 0, total);
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(offset);
    PartSize part;
    do {
        stop_unless(go_on);
        const Stopwatch watch;
        const std::int64_t count = std::min(total - offset, part.bytes());
        link_.call("files.put", Json::array({name, total, offset, Json::binary(read_part(stream, file, count))}),
                   AfterLoss::fail);
        part.note_seconds(watch.seconds());
        offset += count;
    } while (offset < total);
    link_.call("files.finish", Json::array({name, sha256}), AfterLoss::fail);
}

std::vector<StoredFile> FileTransfer::list(const std::string& token) {
    const Json listing = link_.call("files.list", Json::array({token}), AfterLoss::ask_again).value;
    if (!listing.is_array() || listing.size() > kMostFiles) throw_invalid_answer("it is not a list of files");
    std::vector<StoredFile> files;
    for (const Json& entry : listing) {
        StoredFile file{text_in(entry, "name"), number_in(entry, "bytes"), text_in(entry, "sha256")};
        if (check_name(file.name) != FileKind::result || !file.name.starts_with("results/" + token + "/"))
            throw_invalid_answer("\"" + file.name.substr(0, 120) + "\" is not a result of this job");
        if (file.bytes < 0 || file.bytes > kLargestFile)
            throw_invalid_answer("\"" + file.name + "\" has " + std::to_string(file.bytes) + " bytes");
        if (!is_sha256(file.sha256)) throw_invalid_answer("\"" + file.name + "\" has no SHA-256");
        files.push_back(std::move(file));
    }
    return files;
}

void FileTransfer::receive(const StoredFile& file, const fs::path& target, IfTargetExists rule, const GoOn& go_on) {
    std::error_code ignored;
    if (fs::is_regular_file(target, ignored) && sha256_of_file(target) == file.sha256) return;
    fs::create_directories(target.parent_path(), ignored);
    PartFile part(target);
    if (part.size() > file.bytes) part.clear();
    const bool goes_on = part.size() > 0;
    receive_parts(file, part, go_on);
    if (goes_on && sha256_of_file(part.path()) != file.sha256) {  // what was there before was of another file
        part.clear();
        receive_parts(file, part, go_on);
    }
    if (sha256_of_file(part.path()) != file.sha256) {
        part.remove();
        throw_invalid_answer("\"" + file.name + "\" has another SHA-256 than announced");
    }
    part.rename(rule);
}

void FileTransfer::receive_parts(const StoredFile& file, PartFile& part, const GoOn& go_on) {
    std::int64_t offset = part.size();
    if (file.bytes == 0) part.append({});
    PartSize size;
    while (offset < file.bytes) {
        stop_unless(go_on);
        const Stopwatch watch;
        const std::int64_t count = std::min(file.bytes - offset, size.bytes());
        const Json bytes = link_.call("files.get", Json::array({file.name, offset, count}), AfterLoss::ask_again).value;
        if (!bytes.is_binary() || static_cast<std::int64_t>(bytes.get_binary().size()) != count)
            throw_invalid_answer("a part of \"" + file.name + "\" has a wrong length");
        size.note_seconds(watch.seconds());
        part.append(std::as_bytes(std::span(bytes.get_binary().data(), bytes.get_binary().size())));
        offset += count;
    }
}

}  // namespace kinescope::computers
