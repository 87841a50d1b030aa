#include "core/numerics/numerics_journal.h"

#include <algorithm>

namespace kinescope {

NumericsJournal::NumericsJournal(const JournalFiles& files, const EventSink& emit)
    : emit_(emit),
      log_(
          files.numeric_log, files.numeric_csv, files.kept,
          [this](const std::string& words) {
              emit_(LogLine{LogLineLevel::warning, words + "; the run continues without it"});
          },
          files.overwrite) {}

void NumericsJournal::publish(const Samples& samples) {
    if (samples.empty()) return;
    log_.write(samples);
    emit_(NumericsReady{samples});
}

void NumericsJournal::publish(const RoundingMeasured& rounding) {
    log_.write(rounding_record(rounding));
    emit_(rounding);
}

bool NumericsJournal::is_new(const Finding& finding) {
    return state_.noted.emplace(finding.detector, finding.sample.component, finding.sample.site, finding.found.code)
        .second;
}

namespace {

/// Returns true for a warning about values that are wrong, or may be. Values that come close to a limit are right.
bool shows_damage(const GuardActed& record) {
    return record.found.code != "near_limit" && !record.found.code.starts_with("growth");
}

}  // namespace

/// Keeps the record if it is the first warning of its kind at its site.
void NumericsJournal::keep_warning(const GuardActed& record) {
    const bool is_known = std::ranges::any_of(state_.warnings, [&](const GuardActed& other) {
        return other.detector == record.detector && other.site == record.site && other.found.code == record.found.code;
    });
    if (!is_known) state_.warnings.push_back(record);
}

void NumericsJournal::write_down(const GuardActed& record) {
    if (is_warning(record)) {
        if (shows_damage(record)) state_.has_open_alarms = true;
        keep_warning(record);
    }
    if (is_repair(record.action) || record.action == GuardAction::repeat) state_.has_healed = true;
    if (record.action == GuardAction::learned) ++state_.known_overrides;
    if (record.action != GuardAction::warn && record.action != GuardAction::learned) ++state_.guard_actions;
    log_.write(guard_record(record));
    emit_(record);
}

}  // namespace kinescope
