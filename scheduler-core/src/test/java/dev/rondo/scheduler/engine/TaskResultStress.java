package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A task's result, settled by the loop while other threads read it. Two actors, see [InboxStress].
final class TaskResultStress {

  private TaskResultStress() {}

  /// The loop of the tasks. It never runs: only their results count here.
  private static final Loop LOOP = ((SchedulerCore) Scheduler.create()).loop;

  private static <T> TaskCore<T> task() {
    var task = new StackfulTask<T>(LOOP, "alone", 1, 0, null);
    task.wasMade(false);
    return task;
  }

  /// A listener added while the task ends runs exactly once; `complete` may have seen it or not.
  @JCStressTest
  @Outcome(
      id = {"1, 1", "1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "told once, by complete or at once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not told, or told twice")
  @State
  public static class ListenerRacingComplete {
    private final TaskCore<String> result = task();
    private final AtomicInteger told = new AtomicInteger();

    @Actor
    public void listener() {
      result.whenSettled(told::incrementAndGet);
    }

    @Actor
    public void loop(II_Result r) {
      r.r2 = result.complete(new dev.rondo.scheduler.Outcome.Success<>("v")) ? 1 : 0;
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = told.get();
    }
  }

  /// Listeners added at the same time run once each.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "told once each")
  @Outcome(expect = Expect.FORBIDDEN, desc = "one was not told, or told twice")
  @State
  public static class ListenerRacingListener {
    private final TaskCore<String> result = task();
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    @Actor
    public void first() {
      result.whenSettled(first::incrementAndGet);
    }

    @Actor
    public void second() {
      result.whenSettled(second::incrementAndGet);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      result.complete(new dev.rondo.scheduler.Outcome.Success<>("v"));
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /// A thread that sees that the task has ended sees its value, and what the task wrote before.
  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 42"},
      expect = Expect.ACCEPTABLE,
      desc = "not ended, or all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "ended without its value or what was before it")
  @State
  public static class EndIsSeenWithTheValue {
    private final TaskCore<Integer> result = task();
    private int written;

    @Actor
    public void looker(II_Result r) {
      if (result.isDone()
          && result.settled() instanceof dev.rondo.scheduler.Outcome.Success<Integer> success) {
        r.r1 = success.value();
        r.r2 = written;
      }
    }

    @Actor
    public void loop() {
      written = 42;
      result.complete(new dev.rondo.scheduler.Outcome.Success<>(1));
    }
  }

  /// A listener, as `get()` on another thread uses it, sees the same.
  @JCStressTest
  @Outcome(id = "1, 42", expect = Expect.ACCEPTABLE, desc = "told, with all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not told, or without what was before it")
  @State
  public static class ListenerSeesTheValue {
    private final TaskCore<Integer> result = task();
    private int written;
    private final AtomicInteger told = new AtomicInteger();
    private volatile int seen;

    @Actor
    public void listener() {
      result.whenSettled(() -> {
        seen = written;
        told.incrementAndGet();
      });
    }

    @Actor
    public void loop() {
      written = 42;
      result.complete(new dev.rondo.scheduler.Outcome.Success<>(1));
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = told.get();
      r.r2 = seen;
    }
  }
}
