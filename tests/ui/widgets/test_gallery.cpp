#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>
#include <cmath>
#include <functional>

#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/drop_hint.h"
#include "ui/widgets/event_card.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/phase_bar.h"
#include "ui/widgets/plots/heat_map.h"
#include "ui/widgets/plots/histogram.h"
#include "ui/widgets/plots/non_finite_plot.h"
#include "ui/widgets/plots/plot_view.h"
#include "ui/widgets/plots/precision_timeline.h"
#include "ui/widgets/plots/sparkline.h"
#include "ui/widgets/scrub_slider.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/traffic_light.h"
#include "ui/widgets/transport_bar.h"

using namespace kinescope::ui;

namespace {

constexpr qint64 kGib = 1LL << 30;

QList<PhaseItem> phases(int running) {
    const QStringList names{"Load", "Encode", "Denoise", "Decode", "Save"};
    const QList<double> seconds{21, 8, 470, 42, 6};
    const QStringList done{"0:21", "0:08", "7:50", "0:42", "0:06"};
    QList<PhaseItem> items;
    for (int i = 0; i < names.size(); ++i) {
        const auto state = i < running    ? PhaseItem::State::done
                           : i == running ? PhaseItem::State::running
                                          : PhaseItem::State::waiting;
        items.append({.name = names[i],
                      .expected_seconds = seconds[i],
                      .state = state,
                      .fraction = 0.46,
                      .text = i < running    ? done[i]
                              : i == running ? QString("23 of 50 · 4:14 left")
                                             : "about " + done[i]});
    }
    return items;
}

QImage scene() {
    QImage image(96, 64, QImage::Format_RGB32);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 96; ++x) {
            const double glow = std::exp(-std::hypot(x - 66, y - 40) / 14);
            image.setPixelColor(x, y,
                                QColor(qMin(255, int(60 + y * 2 + glow * 180)), qMin(255, int(50 + y + glow * 140)),
                                       qMax(0, int(120 - y + glow * 60))));
        }
    }
    return image;
}

QList<QPointF> steps(int count, const std::function<double(int)>& value) {
    QList<QPointF> points;
    for (int step = 1; step <= count; ++step) points.append({static_cast<double>(step), value(step)});
    return points;
}

double peakAt(int step) {
    return step < 10 ? 180 + 5 * step : step <= 16 ? 320 * std::pow(1.9, step - 10) : step == 17 ? 1244 : 290 + step;
}

}  // namespace

/// Renders every widget in every theme. Images must not be blank, states must differ, and widgets must follow theme
/// changes. KINESCOPE_GALLERY=<folder> saves the images for inspection.
class TestGallery : public QObject {
    Q_OBJECT

private:
    Theme theme_;

    QImage shot(QWidget& widget, const QString& name) {
        widget.ensurePolished();
        widget.show();
        QCoreApplication::processEvents();
        const QString folder = qEnvironmentVariable("KINESCOPE_GALLERY");
        const int density = folder.isEmpty() ? 1 : 2;
        QImage image(widget.size() * density, QImage::Format_RGB32);
        image.setDevicePixelRatio(density);
        image.fill(theme_.color(ColorRole::surface));
        widget.render(&image);
        if (!folder.isEmpty())
            image.save(QDir(folder).filePath(name + '-' + theme_.tokens().name +
                                             QString::number(theme_.textScalePercent()) + ".png"));
        return image;
    }

    static int colors(const QImage& image) {
        QSet<QRgb> seen;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2) seen.insert(image.pixel(x, y));
        }
        return static_cast<int>(seen.size());
    }

private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        theme_.install();
    }

    void themes_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("percent");
        QTest::newRow("dark") << static_cast<int>(Theme::Mode::dark) << 100;
        QTest::newRow("light") << static_cast<int>(Theme::Mode::light) << 100;
        QTest::newRow("high contrast") << static_cast<int>(Theme::Mode::highContrast) << 100;
        QTest::newRow("dark, double text") << static_cast<int>(Theme::Mode::dark) << 200;
    }
    void themes() {
        QFETCH(int, mode);
        QFETCH(int, percent);
        theme_.setMode(static_cast<Theme::Mode>(mode));
        theme_.setTextScalePercent(percent);
        trafficLights();
        player();
        run();
        numbers();
        form();
        rail();
        dropHint();
    }

private:
    void trafficLights() {
        QWidget page;
        page.resize(760, 620);
        auto* column = new QVBoxLayout(&page);
        using State = TrafficLight::State;
        const QString healthy = "Values in range: peak 312 of 65,504 (fp16), 7.7 stops of headroom";
        struct Row {
            State state;
            QString line, detail;
        };
        const QList<Row> rows{{State::waiting, "Statistics appear here during a run", "No measurements yet."},
                              {State::healthy, healthy, "168 places watched at each step, cost 0.3 % of the time."},
                              {State::healed, healthy, "Healed once, at step 17. Nothing was lost."},
                              {State::close, "Close to the limit: peak 18,200 of 65,504 (fp16), 1.8 stops of headroom",
                               "Block 31, feed-forward output. The guard is ready to repair it."},
                              {State::repairing, "Repairing step 17: block 31, feed-forward output",
                               "The step is done again with that layer scaled."},
                              {State::stopped, "Stopped at step 9: block 12, attention output is not a number",
                               "Five repairs were tried. Open the report to see the likely cause."}};
        QList<QImage> seen;
        for (const Row& row : rows) {
            auto* light = new TrafficLight(theme_, &page);
            light->setState(row.state, "the same words", "and the same detail");
            light->resize(500, 64);
            const QImage look = shot(*light, "traffic-one");
            QVERIFY2(!seen.contains(look), qPrintable(light->stateName()));  // states differ in icon and color
            seen.append(look);
            light->setState(row.state, row.line, row.detail);
            column->addWidget(light);
        }
        auto* bar = new TrafficLight(theme_, &page);
        bar->setLayout(TrafficLight::Layout::line);
        bar->setState(State::healed, healthy, "Healed once at step 17.");
        column->addWidget(bar);
        auto* spark = new Sparkline(theme_, &page);
        spark->setValues({8, 8, 8, 7.9, 7, 6, 2, 1, 7, 7.8, 7.7}, 0, 10, 16);
        column->addWidget(spark);
        column->addStretch(1);
        QVERIFY(colors(shot(page, "traffic")) > 40);
    }

    void player() {
        Card card(theme_);
        card.resize(880, 560);
        card.setTitle("Preview");
        auto* chip = new Chip(theme_, &card);
        chip->setChip("Latent preview 90 × 60, final 720 × 480", ColorRole::warn, "info");
        card.header()->insertWidget(1, chip);
        auto* zoom = new Segmented(theme_, &card);
        zoom->setItems({"Fit", "100 %", "Pixels"});
        card.header()->addWidget(zoom);
        auto* player = new FramePlayer(theme_, &card);
        auto* bar = new TransportBar(theme_, *player, &card);
        card.body()->addWidget(player, 1);
        card.body()->addWidget(bar);
        player->setEmptyState("film", "Your video appears here",
                              "Press Generate to start. The preview and the numbers update after every step.");
        const QImage empty = shot(card, "player-empty");
        player->setFinalSize({720, 480});
        player->setPreview({scene()}, 49, 4);
        player->pause();
        player->seek(20);
        player->setBadge("Step 23 of 50");
        const QImage full = shot(card, "player");
        QVERIFY(full != empty);
        QVERIFY(colors(full) > 1000);
    }

    void run() {
        Card card(theme_);
        card.resize(900, 240);
        card.setTitle("Denoising");
        auto* left = new QLabel("5:02 left, ready at about 14:24", &card);
        auto* pause = new QPushButton(theme_.icon("pause", ColorRole::text), "Pause", &card);
        auto* stop = new QPushButton(theme_.icon("stop", ColorRole::text), "Stop", &card);
        for (QWidget* part : {static_cast<QWidget*>(left), static_cast<QWidget*>(pause), static_cast<QWidget*>(stop)})
            card.header()->addWidget(part);
        auto* row = new QHBoxLayout;
        auto* labels = new QLabel("Step 23 of 50\n9.4 s per step", &card);
        labels->setFixedWidth(140);
        row->addWidget(labels);
        auto* bar = new PhaseBar(theme_, &card);
        row->addWidget(bar, 1);
        card.body()->addLayout(row);
        auto* line = new PrecisionTimeline(theme_, &card);
        line->setPhases({21, 8, 470, 42, 6});
        line->setRows({{"Text encoder", {{{1, 0}, {1, 1}, "float32", 1, {}}}},
                       {"Denoiser", {{{2, 0}, {2, 1}, "fp16 weights, float32 stream", 0, {}}}},
                       {"Block 31 feed-forward",
                        {{{2, 0}, {2, 0.33}, "fp16", 0, {}}, {{2, 0.34}, {2, 1}, "fp16, scaled by 1/32", 3, {}}}},
                       {"VAE", {{{3, 0}, {3, 1}, "float32, 6 tiles", 2, {}}}}});
        line->setNow({2, 0.46});
        line->setRepairs({{2, 0.33}});
        card.body()->addWidget(line);
        card.body()->addStretch(1);
        QSet<QByteArray> seen;
        for (int running = 0; running <= 5; ++running) {
            bar->setPhases(phases(running));
            const QImage look = shot(*bar, "phases");
            QVERIFY(colors(look) > 5);
            seen.insert(QByteArray(reinterpret_cast<const char*>(look.constBits()), look.sizeInBytes()));
        }
        QCOMPARE(seen.size(), 6);
        bar->setPhases(phases(2));
        QVERIFY(colors(shot(card, "run")) > 30);
    }

    void numbers() {
        Card card(theme_);
        card.resize(560, 980);
        card.setTitle("Numbers");
        auto* mode = new Segmented(theme_, &card);
        mode->setItems({"Simple", "Expert"});
        mode->setCurrentIndex(1);
        card.header()->addWidget(mode);
        StepCursor cursor;
        auto* light = new TrafficLight(theme_, &card);
        light->setState(TrafficLight::State::healed,
                        "Values in range: peak 312 of 65,504 (fp16), 7.7 stops of headroom",
                        "Healed once, at step 17. Nothing was lost.");
        card.body()->addWidget(light);
        const auto add = [&](StepWidget* plot, const QString& title, int stretch) {
            plot->setTitle(title);
            plot->setNumSteps(50);
            plot->setCursorModel(&cursor);
            plot->setRepairedSteps({17});
            card.body()->addWidget(plot, stretch);
        };
        auto* peak = new PlotView(theme_, &card);
        add(peak, "Peak |x|", 3);
        peak->setSpec({.axis = PlotSpec::Axis::log2,
                       .y_min = 64,
                       .y_max = 65504 * 1.4,
                       .ticks = {{64, "64"}, {1024, "1 k"}, {16384, "16 k"}, {65536, "64 k"}},
                       .limit = 65504,
                       .bands = {{32752, 65504, ColorRole::error}},
                       .note = {},
                       .series_names = {"peak"},
                       .unit = {}});
        peak->setSeries(0, steps(23, peakAt));
        peak->setDiscarded({{.step = 17, .value = 39812, .label = "39,812, discarded"}});
        peak->setValue("312", ColorRole::text, "fp16 limit 65,504");
        auto* headroom = new PlotView(theme_, &card);
        add(headroom, "Headroom", 3);
        headroom->setSpec({.fill = PlotSpec::Fill::below,
                           .y_min = 0,
                           .y_max = 10,
                           .ticks = linearTicks(0, 10),
                           .limit = {},
                           .bands = {{1, 2, ColorRole::warn}, {0, 1, ColorRole::error}},
                           .note = "guard records below 2, raises below 1",
                           .series_names = {"headroom"},
                           .first_color = 2,
                           .unit = "stops"});
        headroom->setSeries(0, steps(23, [](int step) { return std::log2(65504 / peakAt(step)); }));
        headroom->setDiscarded({{.step = 17, .value = 0.7, .label = {}}});
        headroom->setValue("7.7 stops", ColorRole::ok, "lowest of 168 sites");
        auto* both = new QHBoxLayout;
        auto* spread = new PlotView(theme_, &card);
        spread->setTitle("Spread (std)");
        spread->setNumSteps(50);
        spread->setCursorModel(&cursor);
        spread->setSpec({.y_min = 0.6,
                         .y_max = 1.4,
                         .ticks = linearTicks(0.6, 1.4),
                         .limit = {},
                         .bands = {},
                         .note = {},
                         .series_names = {"latents", "velocity"},
                         .unit = {}});
        spread->setSeries(0, steps(23, [](int step) { return 1.0 - step * 0.008; }));
        spread->setSeries(1, steps(23, [](int step) { return 1.34 - step * 0.011; }));
        spread->setValue("0.82");
        both->addWidget(spread, 3);
        auto* histogram = new Histogram(theme_, &card);
        histogram->setTitle("Current latents");
        QList<qint64> bins(32);
        for (int i = 0; i < 32; ++i)
            bins[i] = std::llround(1e5 * std::exp(-std::pow((i - 15.5) / 5.2, 2) / 2) + (i == 20 ? 2e4 : 0));
        histogram->setCounts(bins, -3.9, 4.1, 1.0);
        both->addWidget(histogram, 2);
        card.body()->addLayout(both, 3);
        auto* clean = new NonFinitePlot(theme_, &card);
        add(clean, "NaN or infinite values", 0);
        clean->setCounts(QList<qint64>(23, 0));
        clean->setValue("0 values", ColorRole::ok, "of 1.1 million");
        auto* map = new HeatMap(theme_, &card);
        add(map, "Headroom per block", 5);
        map->setGrid(42, 50);
        for (int step = 1; step <= 23; ++step) {
            for (int block = 0; block < 42; ++block)
                map->setHeadroom(
                    block, step,
                    8.4 - 1.2 * std::exp(-std::pow((block - 37) / 9.0, 2)) + 0.3 * std::sin(block * 7 + step * 3));
            if (step > 9 && step < 17) map->setHeadroom(31, step, std::log2(65504 / peakAt(step)));
        }
        map->setDiscarded({{17, 31}});
        map->setDescriber([](int block, int step) {
            return CellTip{.title = QStringLiteral("Step %1 · block %2").arg(step).arg(block),
                           .text = "feed-forward output",
                           .figure = "peak 39,812 · 0.7 stops of headroom",
                           .figure_role = ColorRole::error};
        });
        auto* event =
            new EventCard(theme_,
                          {.title = "One layer came close to the fp16 limit",
                           .when = "step 17, 14:18:06",
                           .body = "Block 31, feed-forward output: peak 39,812, 61 % of the largest fp16 number. "
                                   "The step was repeated with this op in scaled fp16. This took 9.6 s.",
                           .icon = "shield",
                           .role = ColorRole::warn,
                           .links = {{"map", "Show in heat map"}, {"why", "Why?"}, {"copy", "Copy"}}},
                          &card);
        card.body()->addWidget(event);
        QSignalSpy link(event, &EventCard::linkActivated);
        event->findChildren<QPushButton*>().at(1)->click();
        QCOMPARE(link.first().first().toString(), QString("why"));
        card.show();
        map->setFocus();
        map->setCurrentCell(31, 17);
        QVERIFY(colors(shot(card, "numbers")) > 200);
    }

    void form() {
        QWidget page;
        page.resize(900, 620);
        auto* grid = new QGridLayout(&page);
        auto* card = new Card(theme_, &page);
        auto* lay = card->body();
        lay->addWidget([&] {
            auto* l = new QLabel("Prompt");
            l->setProperty("type", "label");
            return l;
        }());
        auto* prompt =
            new QPlainTextEdit("A lighthouse on a rocky cliff at dusk, its beam sweeping over a calm sea", card);
        prompt->setMaximumHeight(96);
        lay->addWidget(prompt);
        auto* video = new Section(theme_, card);
        video->setTitle("Video");
        video->setValue("720 × 480, 49 frames, 6.1 s");
        auto* fields = new QHBoxLayout;
        auto* size = new QComboBox(card);
        size->addItems({"720 × 480", "480 × 320"});
        auto* length = new QSpinBox(card);
        length->setSuffix(" frames");
        length->setValue(49);
        fields->addWidget(size);
        fields->addWidget(length);
        video->body()->addLayout(fields);
        auto* wrong = new QSpinBox(card);
        wrong->setMaximum(2000);
        wrong->setValue(730);
        wrong->setProperty("fault", true);
        video->body()->addWidget(wrong);
        auto* message = new MessageLine(theme_, card);
        message->setMessage(Severity::error, "Must be a multiple of 16.", "Use 736");
        video->body()->addWidget(message);
        auto* info = new MessageLine(theme_, card);
        info->setMessage(Severity::info, "Becomes 49 (4n + 1)");
        video->body()->addWidget(info);
        lay->addWidget(video);
        auto* quality = new Section(theme_, card);
        quality->setTitle("Quality");
        quality->setValue("50 steps, guidance 6.0");
        quality->setExpanded(false);
        lay->addWidget(quality);
        auto* precision = new Section(theme_, card);
        precision->setTitle("Precision");
        auto* mode = new Segmented(theme_, card);
        mode->setItems({"Auto", "Custom"});
        precision->header()->addWidget(mode);
        precision->setExpanded(false);
        lay->addWidget(precision);
        auto* memory = new Section(theme_, card);
        memory->setTitle("Memory plan");
        memory->setValue("8.4 GiB of 11.0 GiB");
        auto* bar = new MemoryBar(theme_, card);
        bar->setParts({{"Weights", 48 * kGib / 10, 0, "4.8 GiB"},
                       {"Activations", 3 * kGib, 1, "3.0 GiB"},
                       {"Reserve", 6 * kGib / 10, 3, "614.4 MiB"},
                       {"Free", 26 * kGib / 10, kFreeMemory, "2.6 GiB"}},
                      11 * kGib);
        memory->body()->addWidget(bar);
        lay->addWidget(memory);
        lay->addStretch(1);
        auto* generate = new QPushButton(theme_.icon("play", ColorRole::onFill), "Generate", card);
        generate->setProperty("role", "primary");
        lay->addWidget(generate);
        grid->addWidget(card, 0, 0);

        auto* right = new Card(theme_, &page);
        right->setTitle("Controls");
        auto* strip = new NoticeStrip(theme_, right);
        strip->setNotice(Severity::info,
                         "Built-in demo model:", "small clips, about 20 seconds each, nothing to download.",
                         "Add models…");
        right->body()->addWidget(strip);
        for (const auto& [role, words] :
             {std::pair{"", "Show in folder"}, {"ghost", "Details"}, {"danger", "Discard"}, {"link", "Why?"}}) {
            auto* button = new QPushButton(words, right);
            button->setProperty("role", role);
            right->body()->addWidget(button);
        }
        auto* off = new QPushButton("Not now", right);
        off->setEnabled(false);
        right->body()->addWidget(off);
        auto* search = new QLineEdit(right);
        search->setPlaceholderText("Search");
        right->body()->addWidget(search);
        auto* guard = new Segmented(theme_, right);
        guard->setItems({"Watch", "Balanced", "Strict"});
        guard->setCurrentIndex(1);
        right->body()->addWidget(guard);
        auto* check = new QCheckBox("Safe mode: use the CPU only", right);
        check->setChecked(true);
        right->body()->addWidget(check);
        right->body()->addWidget(new QCheckBox("Fast sums", right));
        auto* scrub = new ScrubSlider(theme_, right);
        scrub->setRange(0, 48);
        scrub->setReady(30);
        scrub->setValue(20);
        right->body()->addWidget(scrub);
        auto* chips = new QHBoxLayout;
        for (const auto& [words, role, icon] : {std::tuple{"Healed", ColorRole::ok, "shield"},
                                                {"1 part missing", ColorRole::warn, "warnt"},
                                                {"Stopped", ColorRole::error, "stopo"},
                                                {"plain", ColorRole::text2, ""}}) {
            auto* chip = new Chip(theme_, right);
            chip->setChip(words, role, icon);
            chips->addWidget(chip);
        }
        right->body()->addLayout(chips);
        right->body()->addStretch(1);
        grid->addWidget(right, 0, 1);
        page.show();
        search->setFocus();
        QVERIFY(colors(shot(page, "form")) > 60);

        QSignalSpy folded(quality, &Section::expandedChanged);
        quality->setExpanded(true);
        QCOMPARE(folded.count(), 1);
        QSignalSpy chosen(guard, &Segmented::currentChanged);
        guard->setCurrentIndex(2);
        QCOMPARE(chosen.first().first().toInt(), 2);
        QSignalSpy gone(strip, &NoticeStrip::dismissed);
        strip->findChildren<QToolButton*>().first()->click();
        QCOMPARE(gone.count(), 1);
        QVERIFY(!strip->isVisible());
        message->clear();
        QVERIFY(!message->isVisible());
    }

    void dropHint() {
        QWidget page;
        page.resize(480, 300);
        auto* hint = new DropHint(theme_, &page);
        QVERIFY(!hint->isVisible());
        page.show();
        hint->showHint(DropHint::Answer::accepted, "Becomes the start image");
        const QImage accepted = shot(page, "drop");
        hint->showHint(DropHint::Answer::refused, "Becomes the start image");
        QVERIFY(shot(page, "drop-refused") != accepted);
        page.resize(300, 200);
        QCOMPARE(hint->size(), QSize(300, 200));
    }

    void rail() {
        for (const NavRail::Width width : {NavRail::Width::full, NavRail::Width::compact}) {
            const bool compact = width == NavRail::Width::compact;
            NavRail rail(theme_);
            for (const auto& [icon, words] : {std::pair{"create", "Create"},
                                              {"library", "Library"},
                                              {"compare", "Compare"},
                                              {"models", "Models"},
                                              {"doctor", "Doctor"}})
                rail.addPage(icon, words);
            rail.addCommand("gear", "Preferences");
            rail.setWidth(width);
            rail.resize(rail.width(), 480);
            QCOMPARE(rail.width(), compact ? 56 : 72);
            const QImage first = shot(rail, compact ? "rail-compact" : "rail");
            QSignalSpy changed(&rail, &NavRail::currentChanged);
            rail.setCurrentIndex(3);
            QCOMPARE(changed.count(), 1);
            QVERIFY(shot(rail, "rail-models") != first);
        }
    }

private Q_SLOTS:
    void markupInTextsIsEscaped() {
        MessageLine message(theme_);
        message.setMessage(Severity::error, "<b>bold</b> & <img src=x>", "Use <i>736</i>");
        QCOMPARE(message.text(), QString("<b>bold</b> & <img src=x>"));
        bool escaped = false;
        for (const QLabel* label : message.findChildren<QLabel*>())
            escaped = escaped || label->text().contains("&lt;b&gt;");
        QVERIFY(escaped);
        QSignalSpy repaired(&message, &MessageLine::fixActivated);
        for (QLabel* label : message.findChildren<QLabel*>()) Q_EMIT label->linkActivated("fix");
        QVERIFY(repaired.count() >= 1);
    }
};

QTEST_MAIN(TestGallery)
#include "test_gallery.moc"
