#include "tests/faults/rounding_loss.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <stdexcept>

#include "tests/faults/fault_runs.h"
#include "tests/faults/planted.h"

namespace kinescope::faults {

namespace {

/// Returns the PSNR of runs without a fault whose denoiser computes in `dtype`, compared with float32, for the seeds 1
/// to `num_seeds`, in ascending order.
std::vector<double> psnr_without_fault(const Family& family, DtypeChoice dtype, int num_seeds) {
    const Planted none{.words = {}, .model = family.model, .gguf = family.gguf};
    const std::string component = denoisers(family).front();  // the setting is for all denoisers
    std::vector<double> all;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        RunSettings settings{.guard = GuardMode::off, .monitoring = Monitoring::off, .seed = seed};
        const RunReport exact = run_planted(family, none, settings);
        settings.component = component;
        settings.dtype = dtype;
        const RunReport run = run_planted(family, none, settings);
        if (exact.error || run.error)
            throw std::runtime_error(family.name + ": " + (exact.error ? *exact.error : *run.error).message());
        all.push_back(psnr_db(run.frames, exact.frames));
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace

bool measure_rounding(const std::vector<Family>& families, int num_seeds, std::ostream& out) {
    bool is_enough = true;
    for (const Family& family : families)
        for (const DtypeChoice dtype : {DtypeChoice::bf16, DtypeChoice::fp16}) {
            const std::vector<double> all = psnr_without_fault(family, dtype, num_seeds);
            is_enough = is_enough && all.front() >= kHealedDb;
            out << std::left << std::setw(16) << family.name << std::setw(6) << to_string(dtype) << std::right
                << std::fixed << std::setprecision(1) << " least " << all.front() << " dB, median "
                << all[all.size() / 2] << " dB\n"
                << std::flush;
        }
    return is_enough;
}

}  // namespace kinescope::faults
