#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

// Usage: replay TARGET FOLDER. Passes every file of a corpus to its target once.

namespace fs = std::filesystem;
namespace fuzz = kinescope::fuzz;

namespace {

const std::map<std::string, void (*)(fuzz::Bytes)> kTargets = {{"safetensors", fuzz::safetensors},
                                                               {"pickle", fuzz::pickle},
                                                               {"gguf", fuzz::gguf},
                                                               {"shard_index", fuzz::shard_index},
                                                               {"sentencepiece", fuzz::sentencepiece},
                                                               {"image", fuzz::image},
                                                               {"request", fuzz::request},
                                                               {"clip_comment", fuzz::clip_comment},
                                                               {"engine_message", fuzz::engine_message},
                                                               {"comfy_paths", fuzz::comfy_paths}};

std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    const auto target = argc == 3 ? kTargets.find(argv[1]) : kTargets.end();
    if (target == kTargets.end()) {
        std::cerr << "usage: replay TARGET FOLDER\n";
        return 2;
    }
    const auto files = files_of(argv[2]);
    for (const auto& file : files) {
        std::cout << file.filename().string()
                  << std::endl;  // flushed, so that the last line names the file that caused a crash
        std::ifstream stream(file, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
        target->second({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    std::cout << files.size() << " files\n";
    return files.empty() ? 1 : 0;
}
