#include "core/weights/formats/pickle_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/api/error.h"
#include "core/weights/formats/pickle_tensors.h"
#include "core/weights/formats/zip_directory.h"

namespace kinescope {
namespace {

constexpr std::size_t kMaxPickleBytes = 32 << 20;  // 1,300 tensors need 0.2 MB
constexpr std::size_t kMaxPickledDims = 16;

/// The zip archive of a file. Checks access to the storages that its pickle refers to.
class Archive {
public:
    Archive(std::span<const std::byte> file, const Refusal& refusal)
        : file_(file), refusal_(refusal), members_(read_zip_directory(file, refusal)), folder_(find_folder()) {
        const auto order = members_.find(folder_ + "byteorder");
        if (order != members_.end() && text(order->second) == "big")
            refusal_.unsupported("it was written on a big-endian machine");
    }

    std::span<const std::byte> pickle() const {
        const auto& member = members_.at(folder_ + "data.pkl");
        if (member.bytes > kMaxPickleBytes)
            refusal_.corrupt("its pickle has " + std::to_string(member.bytes) + " bytes, but at most " +
                             std::to_string(kMaxPickleBytes) + " are allowed");
        return file_.subspan(member.offset, member.bytes);
    }

    /// Returns the position of a tensor. Checks that the tensor lies inside its storage, and the storage inside the
    /// file.
    TensorPlace place(const NamedPickleTensor& named) const {
        const auto& tensor = named.tensor;
        const auto found = members_.find(folder_ + "data/" + std::string(tensor.storage.key));
        if (found == members_.end()) corrupt(named, "its storage is not in the archive");
        const auto there = found->second.bytes / c10::elementSize(tensor.dtype);
        check_shape(named, there);
        return {
            .offset = found->second.offset + static_cast<std::size_t>(tensor.offset) * c10::elementSize(tensor.dtype),
            .shape = tensor.shape,
            .dtype = tensor.dtype,
            .strides = tensor.strides};
    }

private:
    /// Returns the "archive/" part of "archive/data.pkl".
    std::string find_folder() const {
        constexpr std::string_view kPickle = "data.pkl";
        for (const auto& [name, member] : members_)
            if (name.ends_with(kPickle) && std::ranges::count(name, '/') == (name == kPickle ? 0 : 1))
                return name.substr(0, name.size() - kPickle.size());
        refusal_.unsupported("it is a zip archive, but torch.save did not write it: it has no data.pkl");
    }

    std::string_view text(const ZipMember& member) const {
        return {reinterpret_cast<const char*>(file_.data() + member.offset), member.bytes};
    }

    [[noreturn]] void corrupt(const NamedPickleTensor& named, const std::string& reason) const {
        refusal_.corrupt("tensor '" + named.name + "': " + reason);
    }

    /// Checks the shape of a tensor. `there` is the number of values in its storage. Rejects tensors larger than their
    /// storage, because a few stored values, repeated by stride 0, could describe a tensor of any size.
    void check_shape(const NamedPickleTensor& named, std::uint64_t there) const {
        const auto& tensor = named.tensor;
        if (tensor.shape.size() != tensor.strides.size() || tensor.shape.size() > kMaxPickledDims)
            corrupt(named, "it has " + std::to_string(tensor.shape.size()) + " dimensions and " +
                               std::to_string(tensor.strides.size()) + " strides");
        const auto is_negative = [](std::int64_t value) { return value < 0; };
        if (tensor.offset < 0 || std::ranges::any_of(tensor.shape, is_negative) ||
            std::ranges::any_of(tensor.strides, is_negative))
            corrupt(named, "it has a negative size");
        const auto bytes = checked_bytes(tensor.shape, tensor.dtype);
        const auto end = end_of(tensor);
        if (!bytes || *bytes / c10::elementSize(tensor.dtype) > there || end > there)
            corrupt(named, "it exceeds its storage of " + std::to_string(there) + " values");
    }

    /// Returns one past the last element that the tensor uses, or the largest number if it would overflow.
    static std::uint64_t end_of(const PickleTensor& tensor) {
        constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
        auto last = static_cast<std::uint64_t>(tensor.offset);
        for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
            if (tensor.shape[i] == 0) return static_cast<std::uint64_t>(tensor.offset);
            const auto steps = static_cast<std::uint64_t>(tensor.shape[i] - 1);
            const auto stride = static_cast<std::uint64_t>(tensor.strides[i]);
            if (steps > 0 && stride > (kMax - last - 1) / steps) return kMax;
            last += steps * stride;
        }
        return last + 1;
    }

    std::span<const std::byte> file_;
    const Refusal& refusal_;
    ZipDirectory members_;
    std::string folder_;
};

}  // namespace

PickleReader::PickleReader(std::shared_ptr<const MappedFile> file) : file_(std::move(file)), files_{file_->path()} {
    const Refusal refusal{.path = file_->path(), .kind = "torch.save file"};
    const Archive archive(file_->bytes(), refusal);
    const Unpickler pickle(archive.pickle(), refusal);
    for (const auto& named : list_pickle_tensors(pickle, refusal)) {
        auto place = archive.place(named);
        const auto bytes = static_cast<std::int64_t>(*checked_bytes(place.shape, place.dtype));
        entries_.push_back({.name = named.name, .shape = place.shape, .dtype = place.dtype, .bytes = bytes});
        places_.emplace(named.name, std::move(place));
    }
}

Tensor PickleReader::read(const std::string& name) const {
    const auto found = places_.find(name);
    if (found == places_.end())
        throw Error(ErrorCode::missing_keys, files_.front().string() + " has no tensor '" + name + "'");
    return map_tensor(file_, found->second);
}

}  // namespace kinescope
