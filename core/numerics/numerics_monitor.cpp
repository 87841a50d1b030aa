#include "core/numerics/numerics_monitor.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/device/dtype.h"
#include "core/numerics/tensor_stats.h"

namespace kinescope {

void NumericsMonitor::observe(std::string_view site, const Tensor& value) {
    NumericSample sample;
    sample.phase = scope_.phase;
    sample.step = scope_.step;
    sample.attempt = scope_.attempt;
    sample.branch = scope_.branch;
    sample.component = scope_.component;
    sample.site = site;
    sample.dtype = dtype_name(value.scalar_type());
    sample.stats.count = value.numel();
    pending_.push_back(std::move(sample));
    dtypes_.push_back(value.scalar_type());
    rows_.push_back(stat_row(value));
}

namespace {

TensorStats from_row(const double* row, std::int64_t count) {
    TensorStats stats;
    stats.count = count;
    stats.min = row[0];
    stats.max = row[1];
    stats.max_abs = std::max(std::abs(row[0]), std::abs(row[1]));
    stats.mean = row[2];
    stats.std = row[3];
    stats.nan = static_cast<std::int64_t>(row[4]);
    stats.inf = static_cast<std::int64_t>(row[5]);
    return stats;
}

}  // namespace

std::vector<NumericSample> NumericsMonitor::collect() {
    std::vector<NumericSample> samples = std::move(pending_);
    pending_.clear();
    if (samples.empty()) return samples;
    const Tensor table = at::stack(rows_).to(at::kCPU).contiguous();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double* row = table.const_data_ptr<double>() + i * kStatRowSize;
        samples[i].stats = from_row(row, samples[i].stats.count);
        samples[i].headroom_stops = headroom_stops(samples[i].stats, dtypes_[i]);
    }
    rows_.clear();
    dtypes_.clear();
    return samples;
}

}  // namespace kinescope
