#include "core/cluster/read_parts.h"

#include <fstream>
#include <vector>

#include "core/api/error.h"

namespace kinescope::cluster {

void read_parts(const std::filesystem::path& file, const std::function<void(std::span<const std::byte>)>& use) {
    constexpr std::size_t kChunk = std::size_t{1} << 20;
    std::ifstream stream(file, std::ios::binary);
    std::vector<char> buffer(kChunk);
    while (stream) {
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        use(std::as_bytes(std::span(buffer.data(), static_cast<std::size_t>(stream.gcount()))));
    }
    if (!stream.eof())
        throw Error(ErrorCode::file_unreadable, "cannot read '" + file.string() + "'", "Check the shared storage.",
                    {{"path", file.string()}});
}

}  // namespace kinescope::cluster
