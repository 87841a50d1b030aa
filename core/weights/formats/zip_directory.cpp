#include "core/weights/formats/zip_directory.h"

#include <algorithm>

#include "core/weights/formats/byte_cursor.h"

namespace kinescope {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kEnd64Locator = 0x07064b50;
constexpr std::size_t kEndBytes = 22, kLocatorBytes = 20, kLocalBytes = 30, kMaxComment = 0xFFFF;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // marks a value that is stored in the 64-bit record

struct Central {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
};

struct Member {
    std::string name;
    std::uint64_t stored = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header = 0;
};

class DirectoryReader {
public:
    DirectoryReader(std::span<const std::byte> file, const Refusal& refusal) : file_(file), refusal_(refusal) {}

    ZipDirectory read() {
        const auto central = find_central();
        if (central.offset > file_.size() || central.bytes > file_.size() - central.offset)
            refusal_.corrupt("its directory lies outside the file");
        ByteCursor cursor(file_.subspan(central.offset, central.bytes), refusal_, "of its directory");
        ZipDirectory members;
        for (std::uint64_t i = 0; i < central.count; ++i) {
            const auto member = read_member(cursor);
            if (!members.emplace(member.name, place(member)).second)
                refusal_.corrupt("the member '" + member.name + "' occurs twice");
        }
        return members;
    }

private:
    ByteCursor at(std::uint64_t offset) const {
        if (offset > file_.size()) refusal_.corrupt("it refers to byte " + std::to_string(offset) + ", beyond its end");
        return {file_.subspan(offset), refusal_, "of its directory"};
    }

    /// Returns the offset of the end record. It comes last, optionally followed by a comment.
    std::size_t find_end() const {
        if (file_.size() >= kEndBytes) {
            const auto last = file_.size() - kEndBytes;
            for (std::size_t comment = 0; comment <= std::min(last, kMaxComment); ++comment) {
                auto cursor = at(last - comment);
                if (cursor.number<std::uint32_t>() != kEnd) continue;
                cursor.skip(16);
                if (cursor.number<std::uint16_t>() == comment) return last - comment;
            }
        }
        refusal_.truncated(file_.size(), file_.size() + kEndBytes,
                           "of the archive, including the directory at its end,");
    }

    Central find_central() const {
        const auto end = find_end();
        auto cursor = at(end + 10);
        Central central;
        central.count = cursor.number<std::uint16_t>();
        central.bytes = cursor.number<std::uint32_t>();
        central.offset = cursor.number<std::uint32_t>();
        if (end < kLocatorBytes) return central;
        auto locator = at(end - kLocatorBytes);
        if (locator.number<std::uint32_t>() != kEnd64Locator) return central;
        locator.skip(4);
        auto end64 = at(locator.number<std::uint64_t>());
        if (end64.number<std::uint32_t>() != kEnd64) refusal_.corrupt("its 64-bit end record is missing");
        end64.skip(28);
        central.count = end64.number<std::uint64_t>();
        central.bytes = end64.number<std::uint64_t>();
        central.offset = end64.number<std::uint64_t>();
        return central;
    }

    Member read_member(ByteCursor& cursor) const {
        if (cursor.number<std::uint32_t>() != kCentralHeader) refusal_.corrupt("its directory is damaged");
        cursor.skip(4);
        const auto flags = cursor.number<std::uint16_t>();
        const auto method = cursor.number<std::uint16_t>();
        cursor.skip(8);
        Member member;
        member.stored = cursor.number<std::uint32_t>();
        member.bytes = cursor.number<std::uint32_t>();
        const auto name_bytes = cursor.number<std::uint16_t>();
        const auto extra_bytes = cursor.number<std::uint16_t>();
        const auto comment_bytes = cursor.number<std::uint16_t>();
        cursor.skip(8);
        member.header = cursor.number<std::uint32_t>();
        member.name = cursor.text(name_bytes);
        read_zip64(cursor, extra_bytes, member);
        cursor.skip(comment_bytes);
        if (flags & 1) refusal_.unsupported("its member '" + member.name + "' is encrypted");
        if (method != 0 || member.stored != member.bytes)
            refusal_.unsupported(
                "its member '" + member.name + "' is compressed, but PyTorch never writes compressed members",
                "Unpack the archive and open the file inside.");
        return member;
    }

    /// Reads the 64-bit values of the fields that do not fit into 32 bits. They appear in this order.
    void read_zip64(ByteCursor& cursor, std::uint16_t extra_bytes, Member& member) const {
        const auto end = cursor.place() + extra_bytes;
        if (extra_bytes > cursor.left()) cursor.skip(extra_bytes);
        while (cursor.place() + 4 <= end) {
            const auto kind = cursor.number<std::uint16_t>();
            const auto bytes = cursor.number<std::uint16_t>();
            const auto field_end = cursor.place() + bytes;
            if (field_end > end) break;
            if (kind == kZip64Extra) {
                for (auto* value : {&member.bytes, &member.stored, &member.header})
                    if (*value == kIn64 && cursor.place() + 8 <= field_end) *value = cursor.number<std::uint64_t>();
            }
            cursor.skip(field_end - cursor.place());
        }
        if (cursor.place() < end) cursor.skip(end - cursor.place());
    }

    /// Returns the position of a member's data. The local header repeats the name and has its own extra field.
    ZipMember place(const Member& member) const {
        auto cursor = at(member.header);
        if (cursor.number<std::uint32_t>() != kLocalHeader)
            refusal_.corrupt("the member '" + member.name + "' is missing");
        cursor.skip(22);
        const auto name_bytes = cursor.number<std::uint16_t>();
        const auto extra_bytes = cursor.number<std::uint16_t>();
        const auto offset = member.header + kLocalBytes + name_bytes + extra_bytes;
        if (offset > file_.size() || member.bytes > file_.size() - offset)
            refusal_.truncated(file_.size(), offset + member.bytes, "up to the end of '" + member.name + "'");
        return {.offset = offset, .bytes = member.bytes};
    }

    std::span<const std::byte> file_;
    const Refusal& refusal_;
};

}  // namespace

ZipDirectory read_zip_directory(std::span<const std::byte> file, const Refusal& refusal) {
    return DirectoryReader(file, refusal).read();
}

}  // namespace kinescope
