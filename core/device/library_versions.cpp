#include "core/device/library_versions.h"

#include <ATen/Version.h>
#include <caffe2/core/common.h>
#include <torch/headeronly/version.h>

#include <map>

#include "core/base/platform_library.h"
#include "core/device/backend.h"
#include "core/device/cuda/kernel_compiler.h"

namespace kinescope {

namespace {

/// Returns a function of a library that this process has already loaded, or nullptr if it is not loaded.
template <class Function>
Function* loaded(const char* name, const char* library) {
    void* found = find_symbol(name);
    if (found != nullptr) return reinterpret_cast<Function*>(found);
    void* handle = opened_library(library);
    return handle == nullptr ? nullptr : reinterpret_cast<Function*>(find_symbol(handle, name));
}

std::string three_parts(std::size_t major, std::size_t minor, std::size_t patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// Returns the version in the build settings of the loaded library, or that of the headers if the settings do not
/// contain it. at::show_config() would report the same version, but initializes the CUDA hooks.
std::string libtorch_version() {
    const auto& settings = caffe2::GetBuildOptions();
    const auto found = settings.find("TORCH_VERSION");
    return found == settings.end() ? TORCH_VERSION : found->second;
}

}  // namespace

int cuda_runtime_version() {
    int version = 0;
    auto* query = loaded<int(int*)>("cudaRuntimeGetVersion", "libcudart.so.13");
    return query != nullptr && query(&version) == 0 ? version : 0;
}

std::string cuda_version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cublas_version_text(std::size_t version) {
    return three_parts(version / 10000, version / 100 % 100, version % 100);
}

std::string cudnn_version_text(std::size_t version) {
    const std::size_t major = version >= 90000 ? 10000 : 1000;
    return three_parts(version / major, version % major / 100, version % 100);
}

std::map<std::string, std::string> library_versions() {
    load_cuda_backend();  // loads cuBLAS and cuDNN
    std::map<std::string, std::string> versions{{"libtorch", libtorch_version()},
                                                {"cpu_kernels", at::get_cpu_capability()}};
    const auto cuda = query_cuda();
    if (!cuda.empty()) versions["cuda_driver"] = cuda.front().driver;
    if (const int version = cuda_runtime_version()) versions["cuda_runtime"] = cuda_version_text(version);
    if (auto* query = loaded<std::size_t()>("cublasLtGetVersion", "libcublasLt.so.13"))
        versions["cublas"] = cublas_version_text(query());
    if (auto* query = loaded<std::size_t()>("cudnnGetVersion", "libcudnn.so.9"))
        versions["cudnn"] = cudnn_version_text(query());
    if (const std::string nvrtc = cuda.empty() ? "" : nvrtc_version(); !nvrtc.empty()) versions["nvrtc"] = nvrtc;
    return versions;
}

}  // namespace kinescope
