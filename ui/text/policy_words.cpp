#include "ui/text/policy_words.h"

#include <QCoreApplication>

#include "core/api/component_role.h"
#include "core/api/dtype_choice.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(PolicyWords)
};

bool isFloat32(std::string_view dtype) {
    return element_type_from(dtype) == ElementType::float32;
}

QString whyAutomatic(const ComponentPolicy& part) {
    const QString compute = dtypeName(part.compute);
    if (!isFloat32(part.compute)) return Tr::tr("%1: runs at full speed on this device.").arg(compute);
    if (part.device == "cpu") return Tr::tr("%1: the most precise choice on a CPU.").arg(compute);
    if (role_of(part.component) == ComponentRole::vae)
        return Tr::tr("%1: with less precision, decoding loses visible quality.").arg(compute);
    if (dtypeName(part.storage) != compute)
        return Tr::tr("Computes in %1, stores weights in %2. No smaller format is both fast and safe on this device.")
            .arg(compute, dtypeName(part.storage));
    return Tr::tr("%1: this component is small and sensitive to rounding.").arg(compute);
}

}  // namespace

bool isAutomatic(const ComponentPolicy& part) {
    return part.requested.empty() || dtype_choice_from(part.requested) == DtypeChoice::automatic;
}

bool hasHalfSums(const ComponentPolicy& part) {
    return !isFloat32(part.accumulation);
}

QString policyText(const ComponentPolicy& part) {
    const QString compute = dtypeName(part.compute);
    if (element_type_from(part.storage) == ElementType::int8 && part.device == "cpu")
        return Tr::tr("%1 in the layers of its blocks, %2 elsewhere. Less precise, but faster for large models.")
            .arg(dtypeName(part.storage), compute);
    if (isAutomatic(part)) return whyAutomatic(part);
    const QString wish = dtypeName(part.requested);
    return wish == compute ? Tr::tr("%1: as requested.").arg(compute)
                           : Tr::tr("%1 instead of %2, which this device does not support.").arg(compute, wish);
}

QString deviceText(const DeviceInfo& device) {
    const QString compute = dtypeName(device.compute_dtype);
    if (compute.isEmpty()) return {};
    if (!isFloat32(device.compute_dtype) || device.id == "cpu")
        return whyAutomatic({.component = "transformer", .compute = device.compute_dtype, .device = device.id});
    return Tr::tr("%1: no smaller format is both fast and safe on this device.").arg(compute);
}

}  // namespace kinescope::ui
