// Loads LibTorch's CUDA backend like the program and allocates memory. On a machine without a driver, loading succeeds
// and the allocation fails with LibTorch's message about the missing driver.
//
//   load_cuda LIBTORCH_CUDA_SO
#include <ATen/ATen.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

#include <filesystem>
#include <iostream>
#include <typeinfo>

namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Opens a library that LibTorch or cuDNN loads by name only when it is first used.
bool open_library(const std::filesystem::path& file) {
    const bool is_open = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
    std::cout << file.filename().string() << ": " << (is_open ? "loaded" : dlerror()) << '\n';
    return is_open;
}

bool memory_is_there() {
    try {
        at::zeros({1}, at::kCUDA);
        std::cout << "memory on the card: yes\n";
        return true;
    } catch (const std::exception& error) {
        std::cout << "memory on the card: " << first_line(error.what()) << '\n';
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::filesystem::path backend = argv[1];
    const auto nvidia = backend.parent_path() / "../../nvidia";
    bool all = open_library(backend);
    for (const char* name : {"libtorch_cuda_linalg.so"}) all &= open_library(backend.parent_path() / name);
    for (const char* name :
         {"cu13/lib/libnvrtc.so.13", "cudnn/lib/libcudnn_graph.so.9", "cudnn/lib/libcudnn_ops.so.9",
          "cudnn/lib/libcudnn_cnn.so.9", "cudnn/lib/libcudnn_adv.so.9", "cudnn/lib/libcudnn_heuristic.so.9",
          "cudnn/lib/libcudnn_engines_precompiled.so.9", "cudnn/lib/libcudnn_engines_runtime_compiled.so.9"})
        all &= open_library(nvidia / name);
    if (!all) return 1;
    const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
    const bool are_real = typeid(hooks) != typeid(at::CUDAHooksInterface);
    std::cout << "CUDA hooks of LibTorch: " << (are_real ? "those of the backend" : "missing") << '\n';
    if (!are_real) return 1;
    const int cards = hooks.getNumGPUs();
    std::cout << "cards: " << cards << '\n';
    const bool has_memory = memory_is_there();
    return has_memory == (cards > 0) ? 0 : 1;
}
