#include "tests/fuzz/scratch.h"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace kinescope::fuzz {

namespace fs = std::filesystem;

namespace {

struct Folder {
    Folder() {
        const fs::path memory = "/dev/shm";
        const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
        path = parent / ("kinescope-fuzz-" + std::to_string(::getpid()));
        fs::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path path;
};

}  // namespace

const fs::path& scratch_folder() {
    static const Folder folder;
    return folder.path;
}

fs::path write_scratch(const char* name, Bytes bytes) {
    const auto file = scratch_folder() / name;
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
    return file;
}

}  // namespace kinescope::fuzz
