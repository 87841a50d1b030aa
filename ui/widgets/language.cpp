#include "ui/widgets/language.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <QWidget>
#include <utility>

/// A macro that must stand outside of every namespace.
static void initTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace kinescope::ui {
namespace {

const QLatin1String kChinese("zh_CN");
const QLatin1String kEnglish("en");

class Sayer : public QObject {
public:
    Sayer(QWidget* widget, std::function<void()> say) : QObject(widget), say_(std::move(say)) {
        widget->installEventFilter(this);
        say_();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) say_();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> say_;
};

/// Kinescope's own words (in English the plurals alone), and Qt's: the buttons of its dialogs, the menus of its fields.
struct Translators {
    QTranslator own;
    QTranslator ofQt;
    QString language;  ///< empty: none was chosen yet
};

Translators& translators() {
    static Translators both;
    return both;
}

QString spoken(const QString& name) {
    if (name == kEnglish || name == kChinese) return name;
    const QLocale system = QLocale::system();
    const bool simplified = system.language() == QLocale::Chinese && system.script() != QLocale::TraditionalHanScript;
    return simplified ? kChinese : kEnglish;
}

/// Numbers and dates are the system's, unless another language was asked for.
QLocale localeOf(const QString& name, const QString& language) {
    if (name != kEnglish && name != kChinese) return QLocale::system();
    return language == kChinese ? QLocale(kChinese) : QLocale(QLocale::English, QLocale::UnitedStates);
}

}  // namespace

void inEveryLanguage(QWidget* widget, std::function<void()> say) {
    new Sayer(widget, std::move(say));
}

void chooseLanguage(const QString& name) {
    initTranslations();
    Translators& both = translators();
    const QString language = spoken(name);
    QLocale::setDefault(localeOf(name, language));
    if (language == std::exchange(both.language, language)) return;
    QCoreApplication::removeTranslator(&both.ofQt);
    QCoreApplication::removeTranslator(&both.own);
    const QString folder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    const bool foreign = language != kEnglish && both.ofQt.load(QStringLiteral("qtbase_") + language, folder);
    if (foreign) QCoreApplication::installTranslator(&both.ofQt);
    if (both.own.load(QStringLiteral(":/translations/kinescope_") + language))
        QCoreApplication::installTranslator(&both.own);
}

QString currentLanguage() {
    const QString& language = translators().language;
    return language.isEmpty() ? QString(kEnglish) : language;
}

}  // namespace kinescope::ui
