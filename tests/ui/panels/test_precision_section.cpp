#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableWidget>
#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/precision_choices.h"
#include "ui/models/request_model.h"
#include "ui/panels/precision_section.h"
#include "ui/widgets/theme.h"

using namespace kinescope;
using namespace kinescope::ui;

class TestPrecisionSection : public QObject {
    Q_OBJECT

private:
    Theme theme_;
    std::unique_ptr<EngineBridge> bridge_;
    std::unique_ptr<RequestModel> model_;
    std::unique_ptr<PrecisionSection> section_;

    QComboBox* combo(const char* name) { return section_->findChild<QComboBox*>(QLatin1String(name)); }
    QString option(const char* name, DtypeChoice value) {
        QComboBox* box = combo(name);
        return box->itemText(box->findData(static_cast<int>(value)));
    }
    bool canChoose(const char* name, DtypeChoice value) {
        QComboBox* box = combo(name);
        const auto* items = qobject_cast<QStandardItemModel*>(box->model());
        return items->item(box->findData(static_cast<int>(value)))->isEnabled();
    }
    void choose(const char* name, DtypeChoice value) {
        QComboBox* box = combo(name);
        box->setCurrentIndex(box->findData(static_cast<int>(value)));
        Q_EMIT box->activated(box->currentIndex());
    }

private Q_SLOTS:
    void init() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        bridge_ = std::make_unique<EngineBridge>([](RunObserver& observer) {
            return std::make_unique<kinescope::testing::FakeEngine>(kinescope::testing::healthyRun(), observer);
        });
        model_ = std::make_unique<RequestModel>(*bridge_);
        section_ = std::make_unique<PrecisionSection>(theme_, *model_);
        section_->setExpanded(true);
        bridge_->askModels();
        QTRY_VERIFY(model_->plan());
    }

    void cleanup() {
        section_.reset();
        model_.reset();
        bridge_.reset();
    }

    void everyTypeNamesItsMemory() {
        QTRY_COMPARE(option("dtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: float32 · 305.2 MiB"));
        QTRY_COMPARE(option("dtypeCombo", DtypeChoice::fp16), QStringLiteral("fp16 · 305.2 MiB"));
        QTRY_COMPARE(option("storageCombo", DtypeChoice::int8), QStringLiteral("int8 · 200.3 MiB"));
        QTRY_COMPARE(option("vaeDtypeCombo", DtypeChoice::fp16), QStringLiteral("fp16"));
    }

    void autoNamesTheTypeThatFollowsTheDenoiser() {
        QTRY_COMPARE(option("vaeDtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: float32"));
        model_->edit([](VideoRequest& request) { request.dtype = DtypeChoice::fp16; });
        QTRY_COMPARE(option("vaeDtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: fp16"));
    }

    void anOpenListStaysAsItIsUntilItCloses() {
        QTRY_COMPARE(option("vaeDtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: float32"));
        section_->show();
        QComboBox* box = combo("vaeDtypeCombo");
        box->showPopup();
        QTRY_VERIFY(box->view()->isVisible());
        QSignalSpy changed(box->model(), &QAbstractItemModel::rowsInserted);
        const auto* choices = section_->findChild<PrecisionChoices*>();
        model_->edit([](VideoRequest& request) { request.dtype = DtypeChoice::fp16; });
        QTRY_VERIFY(choices->withDenoiser(DtypeChoice::fp16) &&
                    option("dtypeCombo", DtypeChoice::automatic).contains("MiB"));
        QCOMPARE(changed.count(), 0);
        QVERIFY(box->view()->isVisible());
        QCOMPARE(option("vaeDtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: float32"));
        box->hidePopup();
        QTRY_COMPARE(option("vaeDtypeCombo", DtypeChoice::automatic), QStringLiteral("Auto: fp16"));
    }

    void whatTheDeviceCannotDoIsNotOffered() {
        QTRY_COMPARE(option("dtypeCombo", DtypeChoice::bf16), QStringLiteral("bf16 (not possible here)"));
        QVERIFY(!canChoose("dtypeCombo", DtypeChoice::bf16));
        QVERIFY(canChoose("dtypeCombo", DtypeChoice::fp16));
        QVERIFY(combo("dtypeCombo")
                    ->itemData(combo("dtypeCombo")->findData(static_cast<int>(DtypeChoice::bf16)), Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("not supported by a CPU")));
    }

    void choicesReachTheRequest() {
        choose("dtypeCombo", DtypeChoice::fp16);
        choose("textEncoderDtypeCombo", DtypeChoice::fp16);
        choose("vaeDtypeCombo", DtypeChoice::fp32);
        choose("storageCombo", DtypeChoice::int8);
        section_->findChild<QCheckBox*>("fastSumsCheck")->setChecked(true);
        auto* guard = combo("guardCombo");
        guard->setCurrentIndex(1);
        Q_EMIT guard->activated(1);
        const VideoRequest& request = model_->request();
        QCOMPARE(request.dtype, DtypeChoice::fp16);
        QCOMPARE(request.text_encoder_dtype, DtypeChoice::fp16);
        QCOMPARE(request.vae_dtype, DtypeChoice::fp32);
        QCOMPARE(request.storage, DtypeChoice::int8);
        QCOMPARE(request.half_accumulation, HalfAccumulation::allowed);
        QCOMPARE(request.guard, GuardMode::observe);
        QTRY_VERIFY(section_->value().startsWith(QStringLiteral("fp16")));
    }

    void anotherRequestIsShown() {
        model_->edit([](VideoRequest& request) {
            request.dtype = DtypeChoice::fp16;
            request.storage = DtypeChoice::gguf;
            request.guard = GuardMode::off;
        });
        QCOMPARE(combo("dtypeCombo")->currentData().toInt(), static_cast<int>(DtypeChoice::fp16));
        QCOMPARE(combo("storageCombo")->currentData().toInt(), static_cast<int>(DtypeChoice::gguf));
        QCOMPARE(combo("guardCombo")->currentText(), QStringLiteral("Off"));
    }

    void theTableHasAReasonForEachComponent() {
        section_->findChild<QPushButton*>("allComponentsButton")->click();
        auto* table = section_->window()->findChild<QTableWidget*>("precisionTable");
        QVERIFY(table);
        QCOMPARE(table->rowCount(), 3);
        QCOMPARE(table->item(1, 0)->text(), QStringLiteral("Denoiser"));
        QCOMPARE(table->item(1, 1)->text(), QStringLiteral("Auto"));
        for (int row = 0; row < 3; ++row) QVERIFY(!table->item(row, 8)->text().isEmpty());
    }

    void theTableShowsTheWholeReason() {
        section_->findChild<QPushButton*>("allComponentsButton")->click();
        auto* table = section_->window()->findChild<QTableWidget*>("precisionTable");
        QVERIFY(table && QTest::qWaitForWindowExposed(table->window()));
        constexpr int kReason = 8;
        table->item(0, kReason)->setText(QStringLiteral("a reason of many words ").repeated(20));
        for (const int width : {1400, 700}) {
            table->window()->resize(width, 320);
            const auto needed = [table] {
                const QRect room(0, 0, table->columnWidth(kReason), 10000);
                const QString text = table->item(0, kReason)->text();
                return table->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height();
            };
            QTRY_COMPARE(table->window()->width(), width);
            QTRY_VERIFY(table->rowHeight(0) >= needed());
        }
    }

    void closedItAsksNothing() {
        section_->setExpanded(false);
        PrecisionChoices idle(*bridge_, *model_);
        model_->edit([](VideoRequest& request) { request.num_frames = 29; });
        QTRY_COMPARE(model_->plan()->request.num_frames, 29);
        QVERIFY(!idle.computed(DtypeChoice::fp16));
    }

    void requestedAndEffectiveTypes() {
        QVERIFY(isAsRequested(DtypeChoice::fp16, "float16"));
        QVERIFY(isAsRequested(DtypeChoice::fp8, "float8_e4m3fn"));
        QVERIFY(!isAsRequested(DtypeChoice::bf16, "float32"));
        QVERIFY(isAsRequested(DtypeChoice::automatic, "float32"));
    }
};

QTEST_MAIN(TestPrecisionSection)
#include "test_precision_section.moc"
