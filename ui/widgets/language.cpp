#include "ui/widgets/language.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <QWidget>
#include <utility>

/// Registers the translation files. Q_INIT_RESOURCE must be used outside of all namespaces.
static void initTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace kinescope::ui {
namespace {

const QLatin1String kChinese("zh_CN");
const QLatin1String kEnglish("en");

class Retranslator : public QObject {
public:
    Retranslator(QWidget* widget, std::function<void()> retranslate)
        : QObject(widget), retranslate_(std::move(retranslate)) {
        widget->installEventFilter(this);
        retranslate_();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) retranslate_();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> retranslate_;
};

/// Translations of Kinescope (in English only the plural forms) and of Qt (dialog buttons, context menus of fields).
struct Translators {
    QTranslator own;
    QTranslator qt;
    QString language;  ///< empty: not set yet
};

Translators& translators() {
    static Translators both;
    return both;
}

QString supportedLanguage(const QString& name) {
    if (name == kEnglish || name == kChinese) return name;
    const QLocale system = QLocale::system();
    const bool simplified = system.language() == QLocale::Chinese && system.script() != QLocale::TraditionalHanScript;
    return simplified ? kChinese : kEnglish;
}

/// Returns the locale for numbers and dates. It follows the system unless the user selected a language.
QLocale localeOf(const QString& name, const QString& language) {
    if (name != kEnglish && name != kChinese) return QLocale::system();
    return language == kChinese ? QLocale(kChinese) : QLocale(QLocale::English, QLocale::UnitedStates);
}

}  // namespace

void inEveryLanguage(QWidget* widget, std::function<void()> retranslate) {
    new Retranslator(widget, std::move(retranslate));
}

void chooseLanguage(const QString& name) {
    initTranslations();
    Translators& both = translators();
    const QString language = supportedLanguage(name);
    QLocale::setDefault(localeOf(name, language));
    if (language == std::exchange(both.language, language)) return;
    QCoreApplication::removeTranslator(&both.qt);
    QCoreApplication::removeTranslator(&both.own);
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    const bool foreign = language != kEnglish && both.qt.load(QStringLiteral("qtbase_") + language, folder);
    if (foreign) QCoreApplication::installTranslator(&both.qt);
    if (both.own.load(QStringLiteral(":/translations/kinescope_") + language))
        QCoreApplication::installTranslator(&both.own);
}

QString currentLanguage() {
    const QString& language = translators().language;
    return language.isEmpty() ? QString(kEnglish) : language;
}

}  // namespace kinescope::ui
