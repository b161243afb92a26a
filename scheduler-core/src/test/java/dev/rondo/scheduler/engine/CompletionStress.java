package dev.rondo.scheduler.engine;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A task's result, settled by the loop while other threads read it. Two actors, see [InboxStress].
final class CompletionStress {

  private CompletionStress() {}

  /// The result without the task.
  private static final class Alone<T> extends Completion<T> {

    @Override
    String name() {
      return "alone";
    }

    @Override
    public TaskCore<?> turn() {
      throw new AssertionError("no task");
    }

    @Override
    public TaskCore<?> makeFirst() {
      throw new AssertionError("no task");
    }

    @Override
    public TaskCore<?> portrait() {
      throw new AssertionError("no task");
    }

    @Override
    public long id() {
      return 0;
    }

    @Override
    public int readyCount() {
      return 0;
    }
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
    private final Completion<String> completion = new Alone<>();
    private final AtomicInteger told = new AtomicInteger();

    @Actor
    public void listener() {
      completion.whenSettled(told::incrementAndGet);
    }

    @Actor
    public void loop(II_Result r) {
      r.r2 = completion.complete(new dev.rondo.scheduler.Outcome.Success<>("v")) ? 1 : 0;
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
    private final Completion<String> completion = new Alone<>();
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    @Actor
    public void first() {
      completion.whenSettled(first::incrementAndGet);
    }

    @Actor
    public void second() {
      completion.whenSettled(second::incrementAndGet);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      completion.complete(new dev.rondo.scheduler.Outcome.Success<>("v"));
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
    private final Completion<Integer> completion = new Alone<>();
    private int written;

    @Actor
    public void looker(II_Result r) {
      if (completion.isSettled()
          && completion.settled() instanceof dev.rondo.scheduler.Outcome.Success<Integer> success) {
        r.r1 = success.value();
        r.r2 = written;
      }
    }

    @Actor
    public void loop() {
      written = 42;
      completion.complete(new dev.rondo.scheduler.Outcome.Success<>(1));
    }
  }

  /// A listener, as `get()` on another thread uses it, sees the same.
  @JCStressTest
  @Outcome(id = "1, 42", expect = Expect.ACCEPTABLE, desc = "told, with all of it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not told, or without what was before it")
  @State
  public static class ListenerSeesTheValue {
    private final Completion<Integer> completion = new Alone<>();
    private int written;
    private final AtomicInteger told = new AtomicInteger();
    private volatile int seen;

    @Actor
    public void listener() {
      completion.whenSettled(() -> {
        seen = written;
        told.incrementAndGet();
      });
    }

    @Actor
    public void loop() {
      written = 42;
      completion.complete(new dev.rondo.scheduler.Outcome.Success<>(1));
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = told.get();
      r.r2 = seen;
    }
  }
}
