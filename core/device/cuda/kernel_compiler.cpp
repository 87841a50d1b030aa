#include "core/device/cuda/kernel_compiler.h"

#include <torch/headeronly/version.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <vector>

#include "core/api/error.h"
#include "core/base/atomic_file.h"
#include "core/base/gpu_support_folder.h"
#include "core/base/log_line.h"
#include "core/base/platform_library.h"
#include "core/base/sha256.h"
#include "core/device/cuda/kernel_source.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

/// Exact division, square roots and subnormals are the compiler's defaults.
constexpr std::array kOptions = {"--std=c++17"};

constexpr const char* kLibrary = "libnvrtc.so.13";

constexpr std::chrono::days kImageLife{90};

/// The functions of NVRTC, which is part of the CUDA libraries that LibTorch's backend uses.
struct Nvrtc {
    using Program = void*;

    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*image_size)(Program, std::size_t*) = nullptr;
    int (*image)(Program, char*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;

    explicit operator bool() const {
        return version && create && compile && image_size && image && log_size && log && destroy;
    }
};

/// Opens NVRTC: on the search path, beside the loaded backend, or in the user's GPU support.
void* open_nvrtc_library() {
    if (void* library = open_library(kLibrary, LibraryScope::own)) return library;
    const fs::path below_site_packages = fs::path("nvidia/cu13/lib") / kLibrary;
    std::vector<fs::path> files = {gpu_support_folder(TORCH_VERSION) / below_site_packages};
    if (void* backend = opened_library("libtorch_cuda.so")) {
        const fs::path folder = fs::path(library_file(backend)).parent_path();
        files.push_back(folder / kLibrary);
        files.push_back(folder / "../.." / below_site_packages);
    }
    for (const fs::path& file : files)
        if (void* library = open_library(file.c_str(), LibraryScope::own)) return library;
    return nullptr;
}

Nvrtc open_nvrtc() {
    Nvrtc nvrtc;
    void* library = open_nvrtc_library();
    if (library == nullptr) return nvrtc;
    look_up(library, "nvrtcVersion", nvrtc.version);
    look_up(library, "nvrtcCreateProgram", nvrtc.create);
    look_up(library, "nvrtcCompileProgram", nvrtc.compile);
    look_up(library, "nvrtcGetCUBINSize", nvrtc.image_size);
    look_up(library, "nvrtcGetCUBIN", nvrtc.image);
    look_up(library, "nvrtcGetProgramLogSize", nvrtc.log_size);
    look_up(library, "nvrtcGetProgramLog", nvrtc.log);
    look_up(library, "nvrtcDestroyProgram", nvrtc.destroy);
    return nvrtc;
}

const Nvrtc& nvrtc() {
    static const Nvrtc opened = open_nvrtc();
    return opened;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
}

/// The source of the kernels in the compiler.
class Program {
public:
    Program() {
        const KernelSource& source = kernel_source();
        if (nvrtc().create(&program_, source.kernels, "fused_kernels.cu", 1, &source.arguments,
                           &source.arguments_name) != 0)
            refuse_kernels("NVRTC does not take the source");
    }
    ~Program() { nvrtc().destroy(&program_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    std::string compile(int capability) {
        const std::string target = "--gpu-architecture=sm_" + std::to_string(capability);
        std::vector<const char*> options(kOptions.begin(), kOptions.end());
        options.push_back(target.c_str());
        if (nvrtc().compile(program_, static_cast<int>(options.size()), options.data()) != 0)
            refuse_kernels("NVRTC " + nvrtc_version() + " for sm_" + std::to_string(capability) + ": " +
                           first_line(text(nvrtc().log_size, nvrtc().log)));
        std::string image = text(nvrtc().image_size, nvrtc().image);
        if (image.empty()) refuse_kernels("NVRTC " + nvrtc_version() + " returned nothing");
        return image;
    }

private:
    std::string text(int (*size_of)(Nvrtc::Program, std::size_t*), int (*get)(Nvrtc::Program, char*)) const {
        std::size_t size = 0;
        if (size_of(program_, &size) != 0) return {};
        std::string result(size, '\0');
        return get(program_, result.data()) == 0 ? result : std::string();
    }

    Nvrtc::Program program_ = nullptr;
};

std::string sha256_of(std::string_view text) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish();
}

/// Returns the image in a file, or an empty string if the file is missing or damaged. The driver does not notice that
/// an image is cut, so the file ends with the checksum of the image.
std::string read_image(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t size = sha256_of({}).size();
    if (text.size() < size) return {};
    const std::string checksum = text.substr(text.size() - size);
    text.erase(text.size() - size);
    return sha256_of(text) == checksum ? text : std::string();
}

/// Deletes the images of other versions of Kinescope and NVRTC that are older than kImageLife.
void remove_old_images(const fs::path& folder) {
    const auto oldest = fs::file_time_type::clock::now() - kImageLife;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cubin" && entry.last_write_time() < oldest) fs::remove(entry.path());
}

void keep(const fs::path& file, const std::string& image) {
    try {
        fs::create_directories(file.parent_path());
        remove_old_images(file.parent_path());
        write_file_atomically(file, image + sha256_of(image));
    } catch (const std::exception& error) {
        log_warning(std::string("the compiled kernels are not kept: ") + error.what());
    }
}

}  // namespace

void refuse_kernels(const std::string& why) {
    throw Error(ErrorCode::unsupported, "the fused kernels are off: " + why,
                "Everything runs without them, more slowly.");
}

std::string kernel_source_hash() {
    Sha256 hash;
    const auto add = [&](std::string_view text) { hash.add(std::as_bytes(std::span(text))); };
    add(kernel_source().kernels);
    add(kernel_source().arguments);
    for (const char* option : kOptions) add(option);
    return hash.finish();
}

std::string nvrtc_version() {
    int major = 0, minor = 0;
    if (!nvrtc() || nvrtc().version(&major, &minor) != 0) return {};
    return std::to_string(major) + "." + std::to_string(minor);
}

std::string compile_kernels(int capability) {
    if (!nvrtc()) refuse_kernels(std::string("NVIDIA's compiler ") + kLibrary + " is missing or cannot be loaded");
    return Program().compile(capability);
}

fs::path kernel_image_file(int capability, const fs::path& folder) {
    return folder / (kernel_source_hash() + "-nvrtc" + nvrtc_version() + "-sm" + std::to_string(capability) + ".cubin");
}

std::string kernel_image(int capability, const fs::path& folder) {
    const fs::path file = kernel_image_file(capability, folder);
    if (std::string known = read_image(file); !known.empty()) return known;
    const std::string image = compile_kernels(capability);
    keep(file, image);
    return image;
}

}  // namespace kinescope
