#include "ui/models/error_sentence.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include "ui/models/field_name.h"
#include "ui/models/site_name.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

/// The values of an error, as a sentence needs them; empty, or 0, where there is none of that name.
class Facts {
    Q_DECLARE_TR_FUNCTIONS(ErrorSentence)

public:
    explicit Facts(const Error& error) : values_(error.arguments()) {}

    bool has(const char* name) const { return !value(name).isEmpty(); }
    QString value(const char* name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? QString() : QString::fromStdString(found->second);
    }
    qint64 number(const char* name) const { return value(name).toLongLong(); }
    QString bytes(const char* name) const { return bytesText(number(name)); }
    QString component() const { return componentName(value("component").toStdString()); }

    /// The file or folder that the error is about, by its last name; the whole path is in the engine's line.
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

private:
    const std::map<std::string, std::string>& values_;
};

/// "Width (48 would do), Steps (1 would do)": the values are cures by field.
QString Facts::badRequest() const {
    if (has("size"))
        return tr("A video of %1 px cannot be written in this format: use an even width and height, or PNG frames.")
            .arg(value("size"));
    if (has("job")) return tr("The queue has gone on meanwhile: this job cannot be changed any more.");
    if (has("codec")) return tr("This format has no such setting of quality: leave it at its own.");
    QStringList fields;
    for (const auto& [field, cure] : values_) {
        const QString name = fieldName(field);
        fields << (cure.empty() || cure.size() > 20
                       ? name
                       : tr("%1 (%2 would do)", "field, value").arg(name, QString::fromStdString(cure)));
    }
    if (fields.isEmpty()) return tr("What was asked for does not fit this model, or cannot be read.");
    return tr("Cannot be done like this: %1.").arg(fields.join(tr(", ", "between fields")));
}

QString Facts::unsupported() const {
    if (has("device") && has("component"))
        return tr("%1: this precision cannot be computed on %2. Leave the precision to Kinescope, or choose another "
                  "device.",
                  "part of the model, device")
            .arg(component(), value("device"));
    if (has("job")) return tr("Another Kinescope works on this job, or it is gone.");
    return tr("%1 is of a kind that this version cannot use.").arg(file());
}

QString Facts::outOfMemory() const {
    if (has("needed"))
        return tr("%1 needs %2 at least. Allow more memory, or ask for a smaller size or fewer frames.",
                  "part of the model, size")
            .arg(component(), bytes("needed"));
    return tr("It was not enough for this size. Use a smaller one, or fewer frames.");
}

QString Facts::notFinite() const {
    if (has("tensor"))
        return tr("%1 holds numbers that are none (%2): it is damaged, or was converted wrongly. Fetch it again.",
                  "file, place in it")
            .arg(file(), value("tensor"));
    if (value("guard") == QLatin1String("observe")) return observed();
    if (has("site"))
        return tr("%1 is not a number. No video was marked as finished.").arg(siteName(value("site").toStdString()));
    return tr("The model gave what is not a number. No video was marked as finished.");
}

/// The first site that went wrong, many steps before the frames failed.
QString Facts::observed() const {
    const QString site = siteName(value("site").toStdString());
    return tr("%1: %2 NaN and %3 Inf of %4 values. The guard only observed, so every later step computed with them, "
              "and no video was saved.",
              "place in the model, numbers")
        .arg(site, value("nan"), value("inf"), QLocale().toString(number("count")));
}

QString Facts::framesBlack() const {
    if (value("dtype") == QLatin1String("float32")) {
        if (number("black") == 0)
            return tr(
                "Every frame is one flat grey, although decoding is in float32. A model file is probably damaged: "
                "check them under Models.");
        return tr("%1 of %2 frames are black, although decoding is in float32. A model file is probably damaged: check "
                  "them under Models.")
            .arg(value("black"), value("frames"));
    }
    if (number("black") == 0) return tr("Every frame is one flat colour: decoding failed. Decode in float32.");
    return tr("%1 of %2 frames are black: decoding failed. Decode in float32.").arg(value("black"), value("frames"));
}

QString Facts::badConfig() const {
    if (has("key"))
        return tr("%1: “%2” is %3. The file is damaged, or of a model that is not supported.", "file, key, value")
            .arg(file(), value("key"), value("value"));
    return tr("%1 is damaged, or of another model.").arg(file());
}

QString Facts::encodeFailed() const {
    if (has("codec")) return tr("The encoder “%1” failed. Choose another size or another format.").arg(value("codec"));
    return tr("%1 could not be written. Check the disk, or choose another one.").arg(file());
}

QString Facts::missingKeys() const {
    if (number("missing") == 0) return tr("%1 does not hold what this model needs.").arg(file());
    return tr("%1 lacks %n tensors: it is probably of another model.", "file", static_cast<int>(number("missing")))
        .arg(file());
}

QString Facts::wrongShape() const {
    if (number("mismatched") == 0) return tr("%1 does not fit the configuration beside it.").arg(file());
    return tr("%1 has %n tensors of another shape: it is probably of another model.", "file",
              static_cast<int>(number("mismatched")))
        .arg(file());
}

QString Facts::truncated() const {
    if (!has("expected")) return tr("%1 ends too early. Fetch it again.").arg(file());
    return tr("%1: %2 of %3 are there, probably an unfinished download. Fetch it again.", "file, size, size")
        .arg(file(), bytes("bytes"), bytes("expected"));
}

QString Facts::codecMissing() const {
    if (!has("codec")) return tr("This kind of file cannot be written here. Choose another format.");
    return tr("There is no encoder “%1” here for this kind of file. Choose another format.").arg(value("codec"));
}

QString Facts::diskFull() const {
    if (has("limit_bytes"))
        return tr("%1 is too large: files of this process are limited to %2 (ulimit -f).", "file, size")
            .arg(file(), bytes("limit_bytes"));
    if (number("free_bytes") == 0)
        return tr("%1 does not fit any more. Free some space, or choose another folder.").arg(file());
    return tr("%1 does not fit: %2 are free. Free some space, or choose another folder.", "file, size")
        .arg(file(), bytes("free_bytes"));
}

}  // namespace

QString errorSentence(const Error& error) {
    const Facts facts(error);
    switch (error.code()) {
        case ErrorCode::cancelled:
            return Facts::tr("It was stopped before it was done.");
        case ErrorCode::bad_request:
            return facts.badRequest();
        case ErrorCode::bad_usage:
            return Facts::tr("An option cannot be understood.");
        case ErrorCode::file_not_found:
            return Facts::tr("%1 is not there. Was it moved, or is its disk not connected?").arg(facts.file());
        case ErrorCode::file_unreadable:
            return Facts::tr("%1 cannot be read: it is damaged, of another kind, or not yours to read.")
                .arg(facts.file());
        case ErrorCode::file_changed:
            return Facts::tr(
                       "%1 changed, or can no longer be read. The finished steps are kept: put the file back, then "
                       "continue.")
                .arg(facts.file());
        case ErrorCode::checkpoint_truncated:
            return facts.truncated();
        case ErrorCode::checkpoint_corrupt:
            return Facts::tr("%1 contradicts itself. Fetch it again; if it stays so, it was written wrongly.")
                .arg(facts.file());
        case ErrorCode::component_missing:
            return Facts::tr("%1 is not there. Put it beside the model, or into a folder of your models.",
                             "part of the model")
                .arg(facts.component());
        case ErrorCode::missing_keys:
            return facts.missingKeys();
        case ErrorCode::wrong_shape:
            return facts.wrongShape();
        case ErrorCode::model_unknown:
            return Facts::tr(
                       "%1 is of no known family, or only a part of a model. Known are Wan, CogVideoX, Stable "
                       "Video Diffusion and Step-Video-T2V.")
                .arg(facts.file());
        case ErrorCode::bad_config:
            return facts.badConfig();
        case ErrorCode::tokenizer_invalid:
            return Facts::tr("%1 is no word list that can be used. Fetch it again.").arg(facts.file());
        case ErrorCode::unsupported:
            return facts.unsupported();
        case ErrorCode::device_unavailable:
            return Facts::tr("“%1” is not there, or cannot compute. Choose another device, or Automatic.", "device")
                .arg(facts.value("device"));
        case ErrorCode::out_of_memory:
            return facts.outOfMemory();
        case ErrorCode::not_finite:
            return facts.notFinite();
        case ErrorCode::frames_black:
            return facts.framesBlack();
        case ErrorCode::image_unreadable:
            return Facts::tr("%1 is no picture that can be read. PNG, JPEG, WebP, TIFF and BMP can.").arg(facts.file());
        case ErrorCode::output_exists:
            return Facts::tr("%1 is already there, and nothing is replaced unasked. Choose another folder.")
                .arg(facts.file());
        case ErrorCode::output_not_writable:
            return Facts::tr("%1 cannot be written. Choose a folder that you may write to.").arg(facts.file());
        case ErrorCode::disk_full:
            return facts.diskFull();
        case ErrorCode::codec_missing:
            return facts.codecMissing();
        case ErrorCode::encode_failed:
            return facts.encodeFailed();
        case ErrorCode::no_settings:
            return Facts::tr("It was not made by Kinescope, or another program removed them.");
        case ErrorCode::internal:
            return Facts::tr("This is a fault of the program. Please report it with the details.");
    }
    return {};
}

}  // namespace kinescope::ui
