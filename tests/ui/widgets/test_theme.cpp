#include <QAbstractItemView>
#include <QComboBox>
#include <QDBusVariant>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QtTest>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

using namespace kinescope::ui;

class TestTheme : public QObject {
    Q_OBJECT

private:
    static QList<const Tokens*> all() { return {&darkTokens(), &lightTokens(), &highContrastTokens()}; }

private Q_SLOTS:
    void contrastFormula() {
        QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
        QVERIFY(qAbs(contrastRatio(QColor("#767676"), Qt::white) - 4.54) <
                0.01);  // the lightest gray that passes 4.5 : 1 on white
    }

    void textIsReadable_data() {
        QTest::addColumn<const Tokens*>("tokens");
        for (const Tokens* tokens : all()) QTest::newRow(qPrintable(tokens->name)) << tokens;
    }
    void textIsReadable() {
        QFETCH(const Tokens*, tokens);
        const auto ratio = [&](ColorRole text, const QColor& ground) {
            return contrastRatio(tokens->color(text), ground);
        };
        const auto words = {ColorRole::text, ColorRole::text2, ColorRole::text3, ColorRole::accent,
                            ColorRole::ok,   ColorRole::warn,  ColorRole::error, ColorRole::info};
        for (const ColorRole ground : {ColorRole::window, ColorRole::surface, ColorRole::raised}) {
            for (const ColorRole text : words) {
                const double got = ratio(text, tokens->color(ground));
                QVERIFY2(got >= 4.5,
                         qPrintable(QStringLiteral("%1 on %2: %3").arg(tokenName(text), tokenName(ground)).arg(got)));
            }
        }
        QVERIFY(ratio(ColorRole::onFill, tokens->color(ColorRole::fill)) >= 4.5);
        // Chips and the traffic light paint a color on a tint of the same color.
        for (const ColorRole state : {ColorRole::ok, ColorRole::warn, ColorRole::error, ColorRole::text3}) {
            const QColor tint = blend(tokens->color(state), tokens->color(ColorRole::surface), 0.16);
            QVERIFY2(ratio(state, tint) >= 3.7, qPrintable(tokenName(state)));
            QVERIFY(ratio(ColorRole::text, tint) >= 4.5);
            QVERIFY(ratio(ColorRole::text2, tint) >= 4.5);
        }
        for (const QColor& line : tokens->series)
            QVERIFY(contrastRatio(line, tokens->color(ColorRole::surface)) >= 3.7);
        QVERIFY(ratio(ColorRole::edge, tokens->color(ColorRole::surface)) >= 3.7);
    }

    /// The border shows the focus. The frame of the style inside it would look like a selected text.
    void aFocusedButtonIsPlainInside() {
        Theme theme;
        QPushButton button;
        button.setStyleSheet(theme.styleSheet());
        button.setFixedSize(200, 40);
        button.show();
        button.activateWindow();
        button.setAttribute(Qt::WA_KeyboardFocusChange);
        button.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(button.hasFocus());
        const QImage image = button.grab().toImage();
        const QRect inside = image.rect().adjusted(8, 8, -8, -8);
        for (int y = inside.top(); y <= inside.bottom(); ++y)
            for (int x = inside.left(); x <= inside.right(); ++x)
                QCOMPARE(image.pixel(x, y), image.pixel(inside.topLeft()));
    }

    /// The list of a QCompleter, for example in a folder dialog.
    void aListInItsOwnWindowHasABackground() {
        Theme theme;
        theme.install();
        for (const Theme::Mode mode : {Theme::Mode::dark, Theme::Mode::light}) {
            theme.setMode(mode);
            QListView list;
            list.setWindowFlag(Qt::Popup);
            list.resize(120, 80);
            QCOMPARE(list.grab().toImage().pixelColor(60, 40), theme.color(ColorRole::raised));
        }
    }

    void highContrastReachesItsRatios() {
        const Tokens& tokens = highContrastTokens();
        for (const ColorRole role : {ColorRole::line, ColorRole::text3}) {
            for (const ColorRole ground : {ColorRole::window, ColorRole::surface, ColorRole::raised}) {
                QVERIFY(contrastRatio(tokens.color(role), tokens.color(ground)) >= 7);
            }
        }
        QCOMPARE(tokens.border_px, 2);
    }

    void headroomRampIsMonotonic() {
        for (const Tokens* tokens : all()) {
            const bool dark = tokens->color(ColorRole::surface).lightnessF() < 0.5;
            for (std::size_t i = 1; i < tokens->heat.size(); ++i) {
                const double before = contrastRatio(tokens->heat[i - 1], Qt::black);
                const double after = contrastRatio(tokens->heat[i], Qt::black);
                QVERIFY2(dark ? after > before : after < before, qPrintable(tokens->name));
            }
        }
    }

    void modesAndSignals() {
        Theme theme;
        theme.setMode(Theme::Mode::dark);
        QSignalSpy changed(&theme, &Theme::themeChanged);
        theme.setMode(Theme::Mode::light);
        QCOMPARE(theme.color(ColorRole::surface), QColor("#FFFFFF"));
        QCOMPARE(changed.count(), 1);
        theme.setMode(Theme::Mode::light);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(theme.palette().color(QPalette::Window), QColor("#ECEEF2"));
        QVERIFY(theme.heat(0) == lightTokens().heat[0] && theme.heat(5) == lightTokens().heat[6]);
        QCOMPARE(theme.animationMs(), 0);  // the tests run without animations
    }

    void styleSheetNamesOnlyTokens() {
        for (const auto mode : {Theme::Mode::dark, Theme::Mode::light, Theme::Mode::highContrast}) {
            Theme theme;
            theme.setMode(mode);
            const QString sheet = theme.styleSheet();
            QVERIFY(sheet.contains(theme.color(ColorRole::fill).name()));
            const QString rules = sheet.mid(sheet.indexOf("*/"));
            QVERIFY2(!rules.contains('@'), qPrintable(rules.mid(rules.indexOf('@'), 30)));
            static const QRegularExpression url("url\\(([^)]*)\\)");
            for (auto match = url.globalMatch(rules); match.hasNext();) {
                const QString path = match.next().captured(1);
                QVERIFY2(QFile::exists(path), qPrintable(path));
            }
        }
    }

    void imagesOfTheStyleSheetHaveTokenColors() {
        Theme theme;  // initializes the resources
        for (const Tokens* tokens : all()) {
            for (const char* name : {"chev", "chevu"}) {
                QFile file(QStringLiteral(":/themes/%1/%2.svg").arg(tokens->name, name));
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString color = tokens->color(ColorRole::text3).name();
                QVERIFY2(QString::fromUtf8(file.readAll()).contains(color, Qt::CaseInsensitive),
                         qPrintable(file.fileName()));
            }
        }
    }

    void comboPopupsShowAllEntries_data() {
        QTest::addColumn<int>("entries");
        QTest::newRow("few") << 3;
        QTest::newRow("more than Qt's default of visible items") << 16;
    }

    void comboPopupsShowAllEntries() {
        QFETCH(int, entries);
        Theme theme;
        theme.install();
        QComboBox combo;
        for (int i = 0; i < entries; ++i) combo.addItem(QStringLiteral("Entry %1").arg(i));
        combo.show();
        combo.showPopup();
        const QAbstractItemView* view = combo.view();
        QTRY_VERIFY(view->isVisible());
        QCOMPARE(view->visualRect(combo.model()->index(0, 0)).top(), 0);
        QVERIFY(view->visualRect(combo.model()->index(entries - 1, 0)).bottom() < view->viewport()->height());
        combo.hidePopup();
    }

    void textSize() {
        Theme theme;
        const double body = QFontInfo(theme.font(Type::body)).pointSizeF();
        theme.setTextScalePercent(200);
        QVERIFY(qAbs(QFontInfo(theme.font(Type::body)).pointSizeF() / body - 2) < 0.1);
        theme.setTextScalePercent(1000);
        QCOMPARE(theme.textScalePercent(), 200);
        theme.setTextScalePercent(1);
        QCOMPARE(theme.textScalePercent(), 80);
        QVERIFY(theme.font(Type::display).pointSizeF() > theme.font(Type::title).pointSizeF());
        QVERIFY(theme.font(Type::caption).pointSizeF() < theme.font(Type::body).pointSizeF());
    }

    void everyIconRenders_data() {
        Theme theme;
        QTest::addColumn<QString>("name");
        QVERIFY(iconNames().size() >= 44);
        for (const QString& name : iconNames()) QTest::newRow(qPrintable(name)) << name;
    }
    void everyIconRenders() {
        QFETCH(QString, name);
        const QImage small = renderIcon(name, Qt::red, 20, 1.0).toImage();
        const QImage sharp = renderIcon(name, Qt::red, 20, 2.0).toImage();
        QCOMPARE(sharp.width(), 40);
        int inked = 0;
        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 20; ++x) {
                const QColor pixel = small.pixelColor(x, y);
                if (pixel.alpha() < 32) continue;
                ++inked;
                QVERIFY(pixel.green() < 40 && pixel.blue() < 40);  // all strokes must have the requested color
            }
        }
        QVERIFY(inked >= 6);
    }

    void iconsFollowTheTheme() {
        Theme theme;
        theme.setMode(Theme::Mode::dark);
        const QIcon icon = theme.icon("film", ColorRole::text, ColorRole::accent);
        const QImage dark = icon.pixmap(20, 20).toImage();
        const QImage checked = icon.pixmap(QSize(20, 20), QIcon::Normal, QIcon::On).toImage();
        QVERIFY(dark != checked);
        theme.setMode(Theme::Mode::light);
        QVERIFY(icon.pixmap(20, 20).toImage() != dark);
        QVERIFY(icon.pixmap(QSize(20, 20), QIcon::Disabled).toImage() != icon.pixmap(20, 20).toImage());
    }

    void anIconMayOutliveItsTheme() {
        QIcon icon;
        {
            Theme theme;
            icon = theme.icon("film");
        }
        QVERIFY(!icon.pixmap(20, 20).isNull());
    }

    void portalValuesAreUnwrapped() {
        QCOMPARE(portalNumber(QVariant(1U)), 1U);
        const QVariant once = QVariant::fromValue(QDBusVariant(QVariant(2U)));
        QCOMPARE(portalNumber(once), 2U);
        QCOMPARE(portalNumber(QVariant::fromValue(QDBusVariant(once))), 2U);
        QCOMPARE(portalNumber(QVariant()), 0U);
    }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
