package dev.rondo.io.internal.channel;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Notices sockets that nothing refers to any more, on a thread for all schedulers of the JVM.
///
/// The thread runs while a scheduler that has opened a socket is open. So it does not keep the
/// class loader of an ended program, such as a plug-in.
///
/// Any thread.
final class LostSockets {

  /// The instance for all schedulers.
  static final LostSockets SHARED =
      new LostSockets(
          Thread.ofPlatform()
              .name("rondo-unclosed")
              .daemon()
              .inheritInheritableThreadLocals(false)
              .factory());

  private final ThreadFactory threads;
  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  private int users;
  private @Nullable Thread thread;

  /// @param threads makes the thread
  LostSockets(ThreadFactory threads) {
    this.threads = threads;
  }

  /// Keeps the thread running until [#leave()] has been called as often as this method.
  ///
  /// @return the queue for references to sockets; each is a [LeakWatch.Guard]
  /// @throws OutOfMemoryError if the system gives no thread; then this call does not count
  synchronized ReferenceQueue<Object> join() {
    if (users == 0) {
      Thread made = threads.newThread(this::run);
      made.start();
      thread = made;
    }
    users++;
    return queue;
  }

  /// Ends the thread if no other scheduler needs it.
  synchronized void leave() {
    users--;
    Thread last = thread;
    if (users == 0 && last != null) {
      thread = null;
      last.interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        Reference<?> lost = queue.remove();
        if (lost instanceof LeakWatch.Guard guard) {
          guard.lost();
        }
      }
    } catch (InterruptedException _) {
      // No scheduler has sockets any more.
    }
  }
}
