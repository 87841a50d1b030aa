#include "ui/models/policy_words.h"

#include <QCoreApplication>

#include "ui/models/site_name.h"

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(PolicyWords)
};

QString whyAutomatic(const ComponentPolicy& part, const QString& compute) {
    if (compute != QLatin1String("float32"))
        return Words::tr("%1: this device computes in it at full speed.").arg(compute);
    if (part.device == "cpu") return Words::tr("%1: the exact choice on a processor.").arg(compute);
    if (part.component == "vae") return Words::tr("%1: below it, decoding loses visible quality.").arg(compute);
    if (dtypeName(part.storage) != compute)
        return Words::tr("%1 on weights kept in %2: nothing smaller is fast and safe on this device.")
            .arg(compute, dtypeName(part.storage));
    return Words::tr("%1: this part is small, and sensitive to rounding.").arg(compute);
}

}  // namespace

QString policySentence(const ComponentPolicy& part) {
    const QString compute = dtypeName(part.compute);
    if (part.storage == "int8" && part.device == "cpu")
        return Words::tr("%1 in the layers of its blocks, %2 around them: rounded, and faster where they are wide.")
            .arg(dtypeName(part.storage), compute);
    const bool automatic = part.requested.empty() || part.requested == "auto";
    if (automatic) return whyAutomatic(part, compute);
    const QString wish = dtypeName(part.requested);
    return wish == compute ? Words::tr("%1: as asked for.").arg(compute)
                           : Words::tr("%1 in place of %2, which this device does not have.").arg(compute, wish);
}

QString deviceSentence(const DeviceInfo& device) {
    const QString compute = dtypeName(device.compute_dtype);
    if (compute.isEmpty()) return {};
    if (compute != QLatin1String("float32") || device.id == "cpu")
        return whyAutomatic({.component = "transformer", .device = device.id}, compute);
    return Words::tr("%1: nothing smaller is fast and safe on this device.").arg(compute);
}

}  // namespace kinescope::ui
