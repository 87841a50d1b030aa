#include "ui/windows/about_dialog.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

namespace kinescope::ui {
namespace {

struct Work {
    const char* name;
    const char* license;
    const char* address;
};

constexpr std::array kWorks{
    Work{"Qt", "LGPL-3.0", "https://www.qt.io"},
    Work{"LibTorch", "BSD-3-Clause", "https://pytorch.org"},
    Work{"FFmpeg", "GPL-2.0-or-later", "https://ffmpeg.org"},
    Work{"OpenCV", "Apache-2.0", "https://opencv.org"},
    Work{"Highway", "Apache-2.0", "https://github.com/google/highway"},
    Work{"spdlog", "MIT", "https://github.com/gabime/spdlog"},
    Work{"SentencePiece", "Apache-2.0", "https://github.com/google/sentencepiece"},
    Work{"JSON for Modern C++", "MIT", "https://json.nlohmann.me"},
    Work{"libyaml", "MIT", "https://github.com/yaml/libyaml"},
    Work{"CLI11", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11"},
};

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

QGridLayout* makeWorks(QWidget* parent) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    for (std::size_t row = 0; row < kWorks.size(); ++row) {
        const Work& work = kWorks[row];
        auto* name = new QLabel(
            QStringLiteral("<a href=\"%1\">%2</a>").arg(QLatin1String(work.address), QLatin1String(work.name)), parent);
        name->setOpenExternalLinks(true);
        auto* license = new QLabel(QLatin1String(work.license), parent);
        license->setProperty("type", "caption");
        grid->addWidget(name, static_cast<int>(row), 0);
        grid->addWidget(license, static_cast<int>(row), 1);
    }
    grid->setColumnStretch(1, 1);
    return grid;
}

}  // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Kinescope"));
    auto* title = new QLabel(QStringLiteral("Kinescope"), this);
    title->setProperty("type", "title");
    auto* version = new QLabel(
        tr("Version %1 with Qt %2").arg(QCoreApplication::applicationVersion(), QLatin1String(qVersion())), this);
    version->setProperty("type", "caption");
    auto* works = new QLabel(tr("Built with"), this);
    works->setProperty("type", "strong");
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("closeAboutButton"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 16);
    column->setSpacing(8);
    column->addWidget(title);
    column->addWidget(version);
    column->addWidget(wrapped(
        tr("Generates videos on your own computer, shows the values inside the model, and heals steps that overflow."),
        this));
    column->addWidget(wrapped(
        tr("Free software under the GNU General Public License, version 3 or later. It comes without any warranty."),
        this));
    column->addSpacing(8);
    column->addWidget(works);
    column->addLayout(makeWorks(this));
    column->addSpacing(8);
    column->addWidget(close, 0, Qt::AlignRight);
    setMinimumWidth(440);
}

}  // namespace kinescope::ui
