#pragma once

#include <QObject>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/component_role.h"
#include "core/api/dtype_choice.h"
#include "ui/bridge/engine_bridge.h"

namespace kinescope::ui {

class RequestModel;

/// The plan of the request with another precision.
struct PrecisionChoice {
    PolicySummary policy = {};
    std::int64_t peakBytes = 0;
    std::optional<Error> refusal = {};  ///< why the engine refuses this precision

    /// Returns the component in this role, or nullptr if the model has none.
    const ComponentPolicy* part(ComponentRole role) const;
};

/// Plans the request with every precision, so that the form can show what each one costs and which ones the device does
/// not support. Does nothing until it is switched on.
class PrecisionChoices : public QObject {
    Q_OBJECT

public:
    PrecisionChoices(EngineBridge& bridge, const RequestModel& request, QObject* parent = nullptr);

    /// Plans now and after each later change of the request.
    void begin();
    void stop();

    /// Returns the plan with all components in one type, or nullptr if it is not known yet.
    const PrecisionChoice* computed(DtypeChoice dtype) const { return find(computed_, dtype); }
    /// Returns the plan with a type for the denoiser alone, or nullptr if it is not known yet. The VAE may follow it.
    const PrecisionChoice* withDenoiser(DtypeChoice dtype) const { return find(followed_, dtype); }
    /// Returns the plan with the denoiser's weights stored in a type, or nullptr if it is not known yet.
    const PrecisionChoice* stored(DtypeChoice dtype) const { return find(stored_, dtype); }

Q_SIGNALS:
    void changed();

private:
    using Choices = std::map<DtypeChoice, PrecisionChoice>;

    static const PrecisionChoice* find(const Choices& choices, DtypeChoice dtype);
    void refresh();
    void ask(Choices& choices, DtypeChoice dtype, const VideoRequest& variant);
    void keep(Choices& choices, DtypeChoice dtype, PrecisionChoice choice, int round);

    EngineBridge& bridge_;
    const RequestModel& request_;
    Choices computed_;
    Choices followed_;
    Choices stored_;
    std::optional<VideoRequest> asked_;  ///< the request of the last round, without its precision
    int round_ = 0;
    enum class Mode { off, on } mode_ = Mode::off;
};

/// The storage types that the form offers.
inline constexpr std::array kOfferedStorage{DtypeChoice::fp32, DtypeChoice::bf16, DtypeChoice::fp16, DtypeChoice::fp8,
                                            DtypeChoice::int8};

/// Returns true if a plan gives a component what was requested, e.g. "float8_e4m3fn" for DtypeChoice::fp8.
bool isAsRequested(DtypeChoice requested, std::string_view effective);

}  // namespace kinescope::ui
