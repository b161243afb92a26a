package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import java.util.ArrayDeque;

/// The helper threads of a loop. There are as many as pieces of code that have begun and not ended,
/// most of which are blocked.
///
/// Confined to the scheduler's thread.
final class HelperThreads {

  private final Loop loop;
  private final ArrayDeque<HelperThread> idle = new ArrayDeque<>();
  private boolean closed;

  HelperThreads(Loop loop) {
    this.loop = loop;
    LoopClasses.load(Scheduler.class);
  }

  HelperThread take() {
    HelperThread free = idle.poll();
    return free != null ? free : new HelperThread(loop, "rondo-helper");
  }

  void giveBack(HelperThread free) {
    idle.push(free);
  }

  boolean isClosed() {
    return closed;
  }

  /// Ends the threads that run nothing.
  void close() {
    closed = true;
    for (HelperThread each; (each = idle.poll()) != null; ) {
      each.end();
    }
  }
}
