package dev.rondo.bound;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.internal.TurnRunner;
import java.util.ArrayDeque;

/// The helper threads of a loop. Each piece of code that has begun and not ended has a thread. Most
/// of these threads are blocked.
///
/// Confined to the scheduler's thread.
final class HelperThreads implements TurnRunner {

  private final CoroutineBackend backend;
  private final ArrayDeque<HelperThread> idle = new ArrayDeque<>();

  HelperThreads(CoroutineBackend backend) {
    this.backend = backend;
    expect(Scheduler.class);
    expect(HelperThreads.class);
  }

  @Override
  public Coroutine newTurn(Coroutine.Body code, long patienceNanos) {
    HelperThread free = idle.poll();
    HelperThread own = free != null ? free : new HelperThread(this, backend);
    own.begin(code, patienceNanos);
    return own;
  }

  void giveBack(HelperThread free) {
    idle.push(free);
  }

  @Override
  public void expect(Class<?> part) {
    LoopClasses.load(part);
  }

  @Override
  public void close() {
    for (HelperThread each; (each = idle.poll()) != null; ) {
      each.end();
    }
  }
}
