#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace kinescope::ui {

/// Runs `work` on a thread of the global pool, because the GUI thread never waits for the disk. Passes its result to
/// `done` on the GUI thread, unless `receiver` has been deleted. `work` must not throw.
template <class Receiver, class Work, class Done>
void inPool(Receiver* receiver, Work work, Done done) {
    QThreadPool::globalInstance()->start([alive = QPointer<Receiver>(receiver), work, done] {
        const auto result = work();
        QMetaObject::invokeMethod(QCoreApplication::instance(), [alive, done, result] {
            if (alive) done(result);
        });
    });
}

}  // namespace kinescope::ui
