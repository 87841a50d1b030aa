#include "ui/models/precision_choices.h"

#include <algorithm>
#include <utility>

#include "ui/models/request_model.h"

namespace kinescope::ui {
namespace {

VideoRequest withoutPrecision(VideoRequest request) {
    request.dtype = request.text_encoder_dtype = request.vae_dtype = request.storage = DtypeChoice::automatic;
    return request;
}

}  // namespace

const ComponentPolicy* PrecisionChoice::part(ComponentRole role) const {
    const auto found = std::ranges::find_if(
        policy, [role](const ComponentPolicy& component) { return role_of(component.component) == role; });
    return found == policy.end() ? nullptr : &*found;
}

bool isAsRequested(DtypeChoice requested, std::string_view effective) {
    const auto type = element_type(requested);
    return !type || effective == to_string(*type);
}

PrecisionChoices::PrecisionChoices(EngineBridge& bridge, const RequestModel& request, QObject* parent)
    : QObject(parent), bridge_(bridge), request_(request) {
    connect(&request_, &RequestModel::planChanged, this, &PrecisionChoices::refresh);
}

void PrecisionChoices::begin() {
    mode_ = Mode::on;
    refresh();
}

void PrecisionChoices::stop() {
    mode_ = Mode::off;
}

const PrecisionChoice* PrecisionChoices::find(const Choices& choices, DtypeChoice dtype) {
    const auto found = choices.find(dtype);
    return found == choices.end() ? nullptr : &found->second;
}

/// Plans all precisions again, unless only the precision of the request has changed.
void PrecisionChoices::refresh() {
    if (mode_ == Mode::off || !request_.hasCard() || !request_.faults().empty()) return;
    VideoRequest base = withoutPrecision(request_.request());
    if (asked_ == base) return;
    asked_ = base;
    ++round_;
    computed_.clear();
    followed_.clear();
    stored_.clear();
    ask(computed_, DtypeChoice::automatic, base);
    ask(followed_, DtypeChoice::automatic, base);
    for (const DtypeChoice dtype : kComputeDtypes) {
        VideoRequest variant = base;
        variant.dtype = dtype;
        ask(followed_, dtype, variant);
        variant.text_encoder_dtype = variant.vae_dtype = dtype;
        ask(computed_, dtype, variant);
    }
    for (const DtypeChoice dtype : kOfferedStorage) {
        VideoRequest variant = base;
        variant.storage = dtype;
        ask(stored_, dtype, variant);
    }
    Q_EMIT changed();
}

void PrecisionChoices::ask(Choices& choices, DtypeChoice dtype, const VideoRequest& variant) {
    bridge_.request(
        Lane::slow, this, [variant](Engine& engine) { return engine.catalog().plan(variant); },
        [this, &choices, dtype, round = round_](const Plan& plan) {
            keep(choices, dtype, {.policy = plan.policy, .peakBytes = plan.peak_memory_bytes}, round);
        },
        [this, &choices, dtype, round = round_](const Error& error) {
            keep(choices, dtype, {.refusal = error}, round);
        });
}

/// Stores an answer, unless it belongs to an earlier request.
void PrecisionChoices::keep(Choices& choices, DtypeChoice dtype, PrecisionChoice choice, int round) {
    if (round != round_) return;
    choices[dtype] = std::move(choice);
    Q_EMIT changed();
}

}  // namespace kinescope::ui
