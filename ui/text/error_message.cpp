#include "ui/text/error_message.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include "core/api/compute_precision.h"
#include "core/api/damaged_job.h"
#include "core/api/killed_reader.h"
#include "ui/text/computer_words.h"
#include "ui/text/field_name.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

/// The arguments of an error. A missing argument reads as an empty string or 0.
class Facts {
    Q_DECLARE_TR_FUNCTIONS(ErrorMessage)

public:
    explicit Facts(const Error& error) : error_(error), values_(error.arguments()) {}

    bool has(const char* name) const { return !value(name).isEmpty(); }
    QString value(const char* name) const { return errorArgument(error_, name); }
    qint64 number(const char* name) const { return value(name).toLongLong(); }
    QString count(const char* name) const { return countText(number(name)); }
    QString bytes(const char* name) const { return bytesText(number(name)); }
    QString component() const { return componentName(value("component").toStdString()); }

    /// Returns the last component of the path. The engine's message contains the whole path.
    QString file() const {
        const QString path = has("path") ? value("path") : value("file");
        const QString name = QFileInfo(path).fileName();
        return path.isEmpty() ? tr("The file") : tr("“%1”", "name of a file").arg(name.isEmpty() ? path : name);
    }

    QString badRequest() const;
    QString unsupported() const;
    QString outOfMemory() const;
    QString notFinite() const;
    QString observed() const;
    QString framesBlack() const;
    QString badConfig() const;
    QString encodeFailed() const;
    QString missingKeys() const;
    QString wrongShape() const;
    QString truncated() const;
    QString codecMissing() const;
    QString diskFull() const;
    QString modelUnknown() const;
    QString foreignPart() const;
    QString fileNotFound() const;
    QString notWritable() const;
    QString fileUnreadable() const;
    QString imageUnreadable() const;

private:
    QString size() const { return value("size").replace(QLatin1Char('x'), QChar(0x00d7)); }
    QString limit() const { return QLocale().toString(number("limit_pixels")); }

    /// The engine's English sentences, with the labels of fields.
    static QString engineText(const std::string& text);

    const Error& error_;
    const std::map<std::string, std::string>& values_;
};

QString Facts::engineText(const std::string& text) {
    QStringList sentences;
    for (const QString& line : withFieldLabels(QString::fromStdString(text)).split(QLatin1Char('\n')))
        sentences << asSentence(line);
    return sentences.join(QLatin1Char(' ')).trimmed();
}

QString Facts::foreignPart() const {
    return tr("%1 belongs to another model: it contains %2, and this model needs %3.", "file or folder, class, class")
        .arg(file(), value("given"), value("needed"));
}

QString Facts::modelUnknown() const {
    if (has("needed")) return foreignPart();
    if (value("kind") == QLatin1String("lora"))
        return tr("%1 is a LoRA. Add it to the model that it was made for.").arg(file());
    if (value("kind") == QLatin1String("upscaler"))
        return tr("%1 is an upscaler, not a model. Choose it when you finish a video.").arg(file());
    if (value("kind") == QLatin1String("interpolator"))
        return tr("%1 is an interpolator, not a model. Choose it when you finish a video.").arg(file());
    if (value("kind") == QLatin1String("tiny_decoder"))
        return tr("%1 is a tiny decoder for previews and drafts, not a model.").arg(file());
    if (!has("families")) return tr("%1 is only a component of a model, or belongs to an unknown family.").arg(file());
    return tr("%1 is only a component of a model, or belongs to an unknown family. Supported families: %2.")
        .arg(file(), value("families").replace(QLatin1String(", "), tr(", ", "between fields")));
}

/// Lists the invalid fields with suggested values, "Width (use 48), Steps (use 1)", and the engine's reason. Leaves out
/// other arguments, such as the path of a file.
QString Facts::badRequest() const {
    if (has("size"))
        return tr("This format does not support %1 px. Use an even width and height, or PNG frames.")
            .arg(value("size"));
    if (has("job")) return tr("This job can no longer be changed because it has started, finished or been removed.");
    if (has("codec")) return tr("This format does not support this quality. Use the default.");
    QStringList fields;
    for (const auto& [field, fix] : values_) {
        if (!isFieldName(field)) continue;
        const QString name = fieldName(field);
        fields << (fix.empty() || fix.size() > 20
                       ? name
                       : tr("%1 (use %2)", "field, value").arg(name, QString::fromStdString(fix)));
    }
    const QString reason = engineText(error_.message());
    if (fields.isEmpty() && reason.isEmpty()) return tr("The request is invalid, or the model does not support it.");
    if (fields.isEmpty())
        return tr("The engine refuses the settings: “%1”", "English sentences of the engine")
            .arg(QStringList{reason, engineText(error_.hint())}.join(QLatin1Char(' ')).trimmed());
    const QString change = tr("Change these settings: %1.").arg(fields.join(tr(", ", "between fields")));
    return reason.isEmpty() ? change
                            : tr("%1 Reason: “%2”", "sentence, English sentence of the engine").arg(change, reason);
}

QString Facts::unsupported() const {
    if (has("device") && has("component"))
        return tr("%1: %2 does not support this precision. Set the precision to Auto, or choose another device.",
                  "component, device")
            .arg(component(), value("device"));
    if (has("job")) return tr("Another instance of Kinescope is running this job, or the job was deleted.");
    return tr("%1 is not supported by this version.").arg(file());
}

QString Facts::outOfMemory() const {
    if (has("device") && has("needed"))
        return tr("The GPU ran out of memory. %1 needs at least %2 of free GPU memory. Close other programs that use "
                  "the GPU, or use a smaller size or fewer frames.",
                  "component, size")
            .arg(component(), bytes("needed"));
    if (has("needed"))
        return tr("%1 needs at least %2. Increase the memory limit, or use a smaller size or fewer frames.",
                  "component, size")
            .arg(component(), bytes("needed"));
    return tr("This size needs more memory than is available. Use a smaller size or fewer frames.");
}

QString Facts::notFinite() const {
    if (has("tensor"))
        return tr("%1 contains invalid values (NaN or infinity) in %2. The file is damaged or was converted "
                  "incorrectly. Download it again.",
                  "file, tensor")
            .arg(file(), value("tensor"));
    if (value("guard") == QLatin1String("observe")) return observed();
    if (has("site"))
        return tr("%1: invalid values (NaN or infinity). There is no finished video.")
            .arg(siteName(value("site").toStdString()));
    return tr("The model produced invalid values (NaN or infinity). There is no finished video.");
}

/// Names the first site with invalid values. If the guard only observes, this can be many steps before the frames fail.
QString Facts::observed() const {
    const QString site = siteName(value("site").toStdString());
    if (!has("count"))
        return tr("%1: invalid values (NaN or infinity). The guard only observed, so all later steps used these "
                  "values. No video was saved.",
                  "site")
            .arg(site);
    return tr("%1: %2 NaN and %3 Inf in %4 values. The guard only observed, so all later steps used these values. No "
              "video was saved.",
              "site, counts")
        .arg(site, count("nan"), count("inf"), count("count"));
}

QString Facts::framesBlack() const {
    if (element_type_from(value("dtype").toStdString()) == ElementType::float32) {
        if (number("black") == 0)
            return tr(
                "All frames are one flat gray, although they were decoded in float32. A model file is probably "
                "damaged: check the files on the Models page.");
        return tr("%1 of %2 frames are black, although they were decoded in float32. A model file is probably damaged: "
                  "check the files on the Models page.")
            .arg(count("black"), count("frames"));
    }
    if (number("black") == 0) return tr("All frames are one flat color: decoding failed. Decode in float32.");
    return tr("%1 of %2 frames are black: decoding failed. Decode in float32.").arg(count("black"), count("frames"));
}

QString Facts::badConfig() const {
    if (has("needed")) return foreignPart();
    if (value("cause") == QLatin1String(kDamagedJobCause))
        return tr("Its file is damaged or was edited by hand. The job can't run; remove it.");
    if (has("key"))
        return tr("%1: “%2” is %3. The file is damaged, or the model is not supported.", "file, key, value")
            .arg(file(), value("key"), value("value"));
    return tr("%1 is damaged or belongs to another model.").arg(file());
}

QString Facts::encodeFailed() const {
    if (has("codec")) return tr("The encoder “%1” failed. Choose another size or another format.").arg(value("codec"));
    return tr("%1 could not be written. Check the disk, or choose another folder.").arg(file());
}

QString Facts::missingKeys() const {
    if (number("missing") == 0) return tr("%1 does not contain all tensors that this model needs.").arg(file());
    return tr("%1 lacks %Ln tensors. It probably belongs to another model.", "file",
              static_cast<int>(number("missing")))
        .arg(file());
}

QString Facts::wrongShape() const {
    if (number("unsupported") > 0 && number("unsupported") == number("mismatched"))
        return tr("%1 is not supported by this version.").arg(file());
    if (number("mismatched") == 0) return tr("%1 does not match its configuration file.").arg(file());
    return tr("%1 has %Ln tensors with unexpected shapes. It probably belongs to another model.", "file",
              static_cast<int>(number("mismatched")))
        .arg(file());
}

QString Facts::truncated() const {
    if (!has("expected")) return tr("%1 is truncated. Download it again.").arg(file());
    return tr("%1 has only %2 of %3. The download is probably incomplete. Download it again.", "file, size, size")
        .arg(file(), bytes("bytes"), bytes("expected"));
}

QString Facts::codecMissing() const {
    if (!has("codec")) return tr("This format is not available. Choose another one.");
    return tr("The encoder “%1” is not available for this format. Choose another format.").arg(value("codec"));
}

QString Facts::diskFull() const {
    if (value("storage") == QLatin1String("shared"))
        return tr("The shared storage of the cluster is full. Free some space there, or ask for a larger quota.");
    if (has("limit_bytes"))
        return tr("%1 is too large: the file size limit is %2 (ulimit -f).", "file, size")
            .arg(file(), bytes("limit_bytes"));
    if (value("cause") == QLatin1String("quota"))
        return tr("Your disk quota is used up, so %1 cannot be written. Delete files that you no longer need, ask for "
                  "a "
                  "larger quota, or choose another folder.")
            .arg(file());
    if (has("computer"))
        return tr("The disk of “%1” is full. Free some space there.", "computer").arg(value("computer"));
    if (number("free_bytes") == 0)
        return tr("%1 no longer fits on the disk. Free some space, or choose another folder.").arg(file());
    return tr("%1 does not fit on the disk (%2 free). Free some space, or choose another folder.", "file, size")
        .arg(file(), bytes("free_bytes"));
}

QString Facts::fileNotFound() const {
    const QString cause = value("cause");
    if (cause == QLatin1String("results_gone"))
        return tr("The results of the job are no longer on the other computer. Start the job over.");
    if (cause == QLatin1String("model_missing"))
        return tr("%1 was not found on “%2”. A model must be in one of the model folders there, or in a folder that is "
                  "named under Model folders in Preferences > Computers.",
                  "file, computer")
            .arg(file(), value("computer"));
    if (has("computer"))
        return tr("%1 was not found on “%2”. If it is a model, check Model folders in Preferences > Computers. It may "
                  "also have been moved there.",
                  "file, computer")
            .arg(file(), value("computer"));
    return tr("%1 was not found. It may have been moved, or its disk may be disconnected.").arg(file());
}

QString Facts::notWritable() const {
    if (value("storage") == QLatin1String("shared"))
        return tr("%1 can't be written on the shared storage of the cluster. Check the permissions there.").arg(file());
    if (has("computer"))
        return tr("%1 can't be written on “%2”. Check the permissions there.", "file, computer")
            .arg(file(), value("computer"));
    return tr("%1 can't be written. Choose a folder that you have permission to write to.").arg(file());
}

QString Facts::fileUnreadable() const {
    if (has("limit_pixels"))
        return tr("The frames of %1 have %2 px; the limit for videos is %3 px. Scale the video down first.",
                  "file, size, number")
            .arg(file(), size(), limit());
    if (has("limit_frames"))
        return tr("%1 has more than %2 frames. Cut the video first.", "file, number")
            .arg(file(), QLocale().toString(number("limit_frames")));
    if (is_of_stalled_reader(error_))
        return tr("The process that reads %1 did not answer for a long time: the computer is very busy, or the drive "
                  "of the file does not answer. Try again.")
            .arg(file());
    if (is_of_killed_reader(error_))
        return tr("The process that reads %1 was killed from outside (%2), often because the computer ran out of "
                  "memory. Try again.",
                  "file, name of a signal")
            .arg(file(), value("signal"));
    if (has("part"))
        return tr("Part %1 of the video is damaged. Continue the job: it makes the part again.", "number")
            .arg(QLocale().toString(number("part")));
    if (value("fault") == QLatin1String("frames"))
        return tr("%1 is damaged: some parts of its frames can't be decoded.").arg(file());
    return tr("%1 can't be read. It may be damaged or of another type, or you may lack permission to read it.")
        .arg(file());
}

QString Facts::imageUnreadable() const {
    if (has("limit_pixels"))
        return tr("%1 has %2 px; the limit for images is %3 px. Scale the image down first.", "file, size, number")
            .arg(file(), size(), limit());
    return tr("%1 can't be read as an image. Supported formats: PNG, JPEG, WebP, TIFF, BMP.").arg(file());
}

}  // namespace

QString errorMessage(const Error& error) {
    const Facts facts(error);
    switch (error.code()) {
        case ErrorCode::cancelled:
            return Facts::tr("The run was stopped before it was finished.");
        case ErrorCode::bad_request:
            return facts.badRequest();
        case ErrorCode::bad_usage:
            return Facts::tr("An option is invalid.");
        case ErrorCode::file_not_found:
            return facts.fileNotFound();
        case ErrorCode::file_unreadable:
            return facts.fileUnreadable();
        case ErrorCode::file_changed:
            return Facts::
                tr("%1 changed or can no longer be read. The finished steps are kept: restore the file, then continue.")
                    .arg(facts.file());
        case ErrorCode::checkpoint_truncated:
            return facts.truncated();
        case ErrorCode::checkpoint_corrupt:
            return Facts::tr(
                       "%1 is inconsistent. Download it again. If this error persists, the published file is faulty.")
                .arg(facts.file());
        case ErrorCode::component_missing:
            return Facts::tr("%1 was not found. Put it next to the model or in one of your model folders.", "component")
                .arg(facts.component());
        case ErrorCode::missing_keys:
            return facts.missingKeys();
        case ErrorCode::wrong_shape:
            return facts.wrongShape();
        case ErrorCode::model_unknown:
            return facts.modelUnknown();
        case ErrorCode::lora_mismatch:
            return Facts::tr(
                       "None of the %Ln modules of %1 fits this model. It was made for another model or another "
                       "size of this model.",
                       "file", static_cast<int>(facts.number("modules")))
                .arg(facts.file());
        case ErrorCode::bad_config:
            return facts.badConfig();
        case ErrorCode::tokenizer_invalid:
            return Facts::tr("%1 is not a valid tokenizer file. Download it again.").arg(facts.file());
        case ErrorCode::unsupported:
            return facts.unsupported();
        case ErrorCode::device_unavailable:
            return Facts::tr("“%1” was not found or is not usable. Choose another device, or Automatic.", "device")
                .arg(facts.value("device"));
        case ErrorCode::device_lost:
            return Facts::tr(
                "The driver, the GPU or a computation on it failed, also in a new process. The finished steps are "
                "kept. "
                "Update the driver, check the card's temperature and power supply, then continue the job.");
        case ErrorCode::engine_lost:
            if (isOfConnection(error)) return computerErrorText(error);
            return Facts::tr(
                "The process that computes the videos ended. The finished steps are kept, and the queue goes on in a "
                "new process. The log shows the last messages of the engine.");
        case ErrorCode::out_of_memory:
            return facts.outOfMemory();
        case ErrorCode::not_finite:
            return facts.notFinite();
        case ErrorCode::frames_black:
            return facts.framesBlack();
        case ErrorCode::image_unreadable:
            return facts.imageUnreadable();
        case ErrorCode::output_exists:
            return Facts::tr("%1 already exists and was not replaced. Choose another folder.").arg(facts.file());
        case ErrorCode::output_not_writable:
            return facts.notWritable();
        case ErrorCode::disk_full:
            return facts.diskFull();
        case ErrorCode::codec_missing:
            return facts.codecMissing();
        case ErrorCode::encode_failed:
            return facts.encodeFailed();
        case ErrorCode::no_settings:
            return Facts::tr("The file was not made by Kinescope, or another program removed the settings.");
        case ErrorCode::internal:
            return Facts::tr("This is a bug in Kinescope. Please report it and include the details.");
    }
    return {};
}

QString errorArgument(const Error& error, const char* name) {
    return QString::fromStdString(error.argument(name));
}

}  // namespace kinescope::ui
