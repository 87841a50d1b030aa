#include "core/gpu_support/unzip.h"

#include <zip.h>

#include <memory>
#include <span>

#include "core/api/error.h"
#include "core/base/atomic_file.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

[[noreturn]] void throw_damaged(const fs::path& archive, const std::string& reason) {
    throw Error(ErrorCode::file_unreadable, "Cannot unpack " + archive.string() + ": " + reason, {},
                {{"path", archive.string()}});
}

std::unique_ptr<zip_t, CloseArchive> open_archive(const fs::path& file) {
    int code = 0;
    std::unique_ptr<zip_t, CloseArchive> archive(zip_open(file.c_str(), ZIP_RDONLY, &code));
    if (archive) return archive;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw_damaged(file, reason);
}

/// Unpacks one member. libzip verifies the CRC at the end of the member.
void unzip_member(zip_t& archive, const fs::path& archive_file, const std::string& name, const fs::path& target,
                  const std::function<void()>& observer) {
    const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen(&archive, name.c_str(), 0));
    if (!member) throw_damaged(archive_file, name + ": " + zip_strerror(&archive));
    std::vector<std::byte> block(std::size_t{1} << 20);
    AtomicFile file(target);
    while (true) {
        observer();
        const auto count = zip_fread(member.get(), block.data(), block.size());
        if (count < 0) throw_damaged(archive_file, name + ": " + zip_file_strerror(member.get()));
        if (count == 0) break;
        file.write(std::span(block).first(static_cast<std::size_t>(count)));
    }
    file.commit();
}

void make_parent_folder(const fs::path& file) {
    const fs::path folder = file.parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return;
    throw Error(ErrorCode::output_not_writable, "Cannot create the folder " + folder.string() + ": " + error.message(),
                "Check that you have write permission there.", {{"path", folder.string()}});
}

}  // namespace

void unzip_members(const fs::path& archive_file, const std::vector<std::string>& members, const fs::path& folder,
                   const std::function<void()>& observer) {
    const auto archive = open_archive(archive_file);
    for (const std::string& name : members) {
        const fs::path target = folder / name;
        make_parent_folder(target);
        unzip_member(*archive, archive_file, name, target, observer);
    }
}

}  // namespace kinescope
