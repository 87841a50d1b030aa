#include "core/numerics/numerics_monitor.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/numerics/tensor_stats.h"

namespace kinescope {

void NumericsMonitor::observe(const Observation& seen) {
    const Tensor& value = seen.value;
    NumericSample sample;
    sample.phase = scope_.phase;
    sample.step = scope_.step;
    sample.attempt = scope_.attempt;
    sample.branch = scope_.branch;
    sample.component = seen.component;
    sample.site = seen.site;
    sample.kind = seen.kind;
    sample.precision = compute_precision(seen.op);
    if (value.is_cpu()) {
        sample.stats = compute_stats(value);
        sample.headroom_stops = headroom_stops(sample.stats, seen.range());
    } else {
        sample.stats.count = value.numel();
        pending_.push_back(
            {samples_.size(), seen.range(), seen.row.defined() ? seen.row : stat_row(value, scope_.non_finite)});
    }
    samples_.push_back(std::move(sample));
}

std::vector<NumericSample> NumericsMonitor::collect() {
    std::vector<NumericSample> samples = std::exchange(samples_, {});
    const std::vector<PendingRow> pending = std::exchange(pending_, {});
    if (pending.empty()) return samples;
    std::vector<Tensor> rows;
    for (const PendingRow& row : pending) rows.push_back(row.row);
    const Tensor table = at::stack(rows).to(at::kCPU).contiguous();
    for (std::size_t i = 0; i < pending.size(); ++i) {
        NumericSample& sample = samples[pending[i].sample];
        sample.stats = stats_of_row(table.const_data_ptr<float>() + i * kStatRowSize, sample.stats.count);
        sample.headroom_stops = headroom_stops(sample.stats, pending[i].dtype);
    }
    return samples;
}

void NumericsMonitor::drop() {
    samples_.clear();
    pending_.clear();
}

}  // namespace kinescope
