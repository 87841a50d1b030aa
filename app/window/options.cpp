#include "app/window/options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <cstdio>
#include <cstdlib>

#include "core/api/model_card.h"

namespace kinescope {
namespace {

constexpr int kBadUsage = 2;

[[noreturn]] void refuse(const QString& message) {
    std::fprintf(stderr, "%s\n", qPrintable(message));
    std::exit(kBadUsage);
}

QSize parseSize(const QString& text) {
    const QStringList sides = text.split(QLatin1Char('x'));
    const QSize size = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    if (size.isEmpty()) refuse(QStringLiteral("--size expects WIDTHxHEIGHT, e.g. 1280x720, not '%1'").arg(text));
    return size;
}

QString parseTheme(const QString& text) {
    if (!QStringList{"", "system", "dark", "light", "high contrast"}.contains(text)) {
        refuse(QStringLiteral("--theme expects system, dark, light or 'high contrast', not '%1'").arg(text));
    }
    return text;
}

}  // namespace

WindowOptions parseWindowOptions(const QStringList& arguments) {
    const QCommandLineOption model(QStringLiteral("model"), QStringLiteral("Initial model: builtin or a folder."),
                                   QStringLiteral("MODEL"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("system, dark, light or 'high contrast'."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Window size."), QStringLiteral("WxH"));
    const QCommandLineOption screenshot(QStringLiteral("screenshot"), QStringLiteral("Save a screenshot and quit."),
                                        QStringLiteral("FILE"));
    const QCommandLineOption startup(QStringLiteral("startup-time"), QStringLiteral("Print startup times and quit."));
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Generates video on your own computer and monitors the computation for numerical errors."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({model, theme, size, screenshot, startup});
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QStringLiteral("Videos made by Kinescope, presets, queues, images or models."),
                                 QStringLiteral("[FILE...]"));
    parser.process(arguments);
    WindowOptions options;
    for (const QString& file : parser.positionalArguments()) options.files << QFileInfo(file).absoluteFilePath();
    options.model = parser.value(model);
    // The window that opens the model may have been started in another folder.
    if (options.model != QLatin1String(kBuiltinModel) && QFileInfo::exists(options.model))
        options.model = QFileInfo(options.model).absoluteFilePath();
    options.theme = parseTheme(parser.value(theme));
    options.screenshot = parser.value(screenshot);
    options.startupTime = parser.isSet(startup);
    options.activationToken = qgetenv("XDG_ACTIVATION_TOKEN");
    if (parser.isSet(size)) options.size = parseSize(parser.value(size));
    return options;
}

}  // namespace kinescope
