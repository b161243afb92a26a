package dev.rondo.scheduler.engine;

import java.util.ArrayDeque;

/// The helper threads of a loop: as many as there are pieces of code that run on one at a time,
/// most of them blocked.
///
/// Confined to the scheduler's thread.
final class HelperThreads {

  private final Loop loop;
  private final ArrayDeque<HelperThread> idle = new ArrayDeque<>();

  HelperThreads(Loop loop) {
    this.loop = loop;
  }

  HelperThread take() {
    HelperThread free = idle.poll();
    return free != null ? free : new HelperThread(loop, "rondo-helper");
  }

  void giveBack(HelperThread free) {
    idle.push(free);
  }

  void close() {
    for (HelperThread each; (each = idle.poll()) != null; ) {
      each.end();
    }
  }
}
