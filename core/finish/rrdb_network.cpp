#include "core/finish/rrdb_network.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace kinescope {
namespace {

constexpr double kRrdbSlope = 0.2;
constexpr double kResidual = 0.2;
/// Folded networks take sizes that are multiples of this.
constexpr std::int64_t kFoldMultiple = 4;

Tensor rrdb_leaky(Tensor x) {
    return at::leaky_relu_(x, kRrdbSlope);
}

/// Where the parts of a network lie in a file.
class RrdbNames {
public:
    explicit RrdbNames(const RrdbLayout& layout) : layout_(layout) {}

    std::string first() const { return is_old() ? "model.0" : "conv_first"; }
    std::string dense(int block, int part, int conv) const {
        const std::string b = std::to_string(block);
        const std::string r = std::to_string(part);
        const std::string i = std::to_string(conv);
        if (is_old()) return "model.1.sub." + b + ".RDB" + r + ".conv" + i + ".0";
        if (layout_.naming == RrdbNaming::bsrgan) return "RRDB_trunk." + b + ".RDB" + r + ".conv" + i;
        return "body." + b + ".rdb" + r + ".conv" + i;
    }
    std::string body() const {
        if (is_old()) return "model.1.sub." + std::to_string(layout_.num_blocks);
        return layout_.naming == RrdbNaming::bsrgan ? "trunk_conv" : "conv_body";
    }
    std::string doubling(int number) const {
        if (is_old()) return "model." + std::to_string(3 * number);
        return (layout_.naming == RrdbNaming::bsrgan ? "upconv" : "conv_up") + std::to_string(number);
    }
    std::string full() const {
        if (is_old()) return "model." + std::to_string(last_index() - 2);
        return layout_.naming == RrdbNaming::bsrgan ? "HRconv" : "conv_hr";
    }
    std::string last() const { return is_old() ? "model." + std::to_string(last_index()) : "conv_last"; }

private:
    bool is_old() const { return layout_.naming == RrdbNaming::esrgan; }
    int last_index() const { return 3 * layout_.num_doublings + 4; }

    const RrdbLayout& layout_;
};

/// Mirrors the picture at its right and bottom edge up to a multiple. Pixels beyond the mirror image of tiny pictures
/// repeat its edge.
Tensor filled_up(const Tensor& nchw, std::int64_t multiple) {
    Tensor x = nchw;
    for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{3}}) {
        const std::int64_t size = nchw.size(axis);
        const std::int64_t missing = (multiple - size % multiple) % multiple;
        if (missing == 0) continue;
        std::vector<std::int64_t> sources;
        for (std::int64_t i = 0; i < size + missing; ++i)
            sources.push_back(i < size ? i : std::max<std::int64_t>(2 * (size - 1) - i, 0));
        x = x.index_select(axis, at::tensor(sources, at::kLong).to(x.device()));
    }
    return x;
}

Tensor folded(const Tensor& pictures, int fold) {
    if (fold == 1) return pictures;
    const Tensor nchw = filled_up(pictures.permute({0, 3, 1, 2}), kFoldMultiple);
    return at::pixel_unshuffle(nchw, fold).permute({0, 2, 3, 1});
}

}  // namespace

RrdbNetwork::RrdbNetwork(const WeightScope& scope, const RrdbLayout& layout, const Precision& precision)
    : layout_(layout) {
    const RrdbNames names(layout_);
    const auto conv = [&](const std::string& name, std::int64_t in, std::int64_t out) {
        return Conv2d(scope / name, {.in = in, .out = out}, precision);
    };
    const std::int64_t nf = layout_.channels;
    first_ = conv(names.first(), 3 * layout_.fold * layout_.fold, nf);
    for (int b = 0; b < layout_.num_blocks; ++b) {
        Block block;
        for (int r = 0; r < kParts; ++r)
            for (int i = 0; i < kDense; ++i)
                block[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)] =
                    conv(names.dense(b, r + 1, i + 1), nf + i * layout_.growth, i + 1 < kDense ? layout_.growth : nf);
        blocks_.push_back(std::move(block));
    }
    body_ = conv(names.body(), nf, nf);
    for (int k = 1; k <= layout_.num_doublings; ++k) doublings_.push_back(conv(names.doubling(k), nf, nf));
    full_ = conv(names.full(), nf, nf);
    last_ = conv(names.last(), nf, layout_.colors);
}

/// Each convolution sees the input and the results of all before it.
Tensor RrdbNetwork::run(const DensePart& part, const Tensor& x) {
    std::vector<Tensor> seen{x};
    for (std::size_t i = 0; i + 1 < part.size(); ++i) seen.push_back(rrdb_leaky(part[i](at::cat(seen, -1))));
    return part.back()(at::cat(seen, -1)).mul_(kResidual).add_(x);
}

Tensor RrdbNetwork::run(const Block& block, const Tensor& x) {
    Tensor y = x;
    for (const DensePart& part : block) y = run(part, y);
    return y.mul_(kResidual).add_(x);
}

Tensor RrdbNetwork::features(const Tensor& picture) const {
    const Tensor start = first_(picture);
    Tensor y = start;
    for (const Block& block : blocks_) y = run(block, y);
    return body_(y).add_(start);
}

Tensor RrdbNetwork::enlarge(const Tensor& pictures) const {
    Tensor y = features(folded(pictures, layout_.fold));
    for (const Conv2d& doubling : doublings_) y = rrdb_leaky(doubling.enlarged(y, {}));
    y = last_(rrdb_leaky(full_(y)));
    if (layout_.fold == 1) return y;
    return y.slice(1, 0, pictures.size(1) * scale()).slice(2, 0, pictures.size(2) * scale());
}

}  // namespace kinescope
