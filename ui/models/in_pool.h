#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace kinescope::ui {

/// Runs `work` on a thread of a pool, because the GUI thread never waits for the disk. Passes its result to `done` on
/// the GUI thread, unless `receiver` has been deleted. `work` must not throw.
template <class Receiver, class Work, class Done>
void inPool(QThreadPool& pool, Receiver* receiver, Work work, Done done) {
    pool.start([alive = QPointer<Receiver>(receiver), work, done] {
        const auto result = work();
        QMetaObject::invokeMethod(QCoreApplication::instance(), [alive, done, result] {
            if (alive) done(result);
        });
    });
}

/// The same on a thread of the global pool.
template <class Receiver, class Work, class Done>
void inPool(Receiver* receiver, Work work, Done done) {
    inPool(*QThreadPool::globalInstance(), receiver, work, done);
}

}  // namespace kinescope::ui
