package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import java.util.ArrayDeque;
import java.util.function.Supplier;

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

  /// Runs user code that is no task, see [Turns#runUserCode]: on a helper thread, if the caller is
  /// on the loop's own thread during a run.
  void run(Supplier<String> what, Runnable code) {
    if (closed || !loop.isHere() || !loop.isDriven()) {
      code.run();
      return;
    }
    HelperThread own = take();
    boolean hidden = loop.isCurrentTaskHidden();
    if (own.run(code, StepTaskCore.PATIENCE_NANOS)) {
      giveBack(own);
    } else {
      StepTaskCore.adopt(loop, what.get(), own, hidden);
    }
  }

  /// Ends the threads that run nothing.
  void close() {
    closed = true;
    for (HelperThread each; (each = idle.poll()) != null; ) {
      each.end();
    }
  }
}
