package dev.rondo.benchmarks;

import dev.rondo.observe.Observers;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The kinds of scheduler that stackful benchmarks run on.
public enum Kind {
  /// Continuations.
  CONTINUATION {
    @Override
    SchedulerBuilder builder() {
      return Scheduler.builder().backend(CoroutineBackends.continuation());
    }
  },

  /// Continuations, with a recorder.
  RECORDED {
    @Override
    SchedulerBuilder builder() {
      return CONTINUATION
          .builder()
          .instrument(new Observers().recorder(Recorder.ofCapacity(RECORDED_EVENTS)));
    }
  },

  /// Virtual threads scheduled by the loop.
  BOUND {
    @Override
    SchedulerBuilder builder() {
      return Scheduler.builder().backend(CoroutineBackends.bound());
    }
  },

  /// Virtual threads that take turns with the loop, which itself runs on a virtual thread, as in
  /// `Application.run`.
  HANDOFF {
    @Override
    SchedulerBuilder builder() {
      return Scheduler.builder().backend(CoroutineBackends.handoff());
    }

    @Override
    void run(Consumer<Scheduler> code) throws InterruptedException {
      Thread.ofVirtual().start(() -> runHere(code)).join();
    }
  };

  /// The number of events that a program would keep.
  public static final int RECORDED_EVENTS = 10_000;

  private static final String OURS = "rondo";

  /// {@return the kind named by a method's name, BOUND for `rondoBound`; CONTINUATION by default}
  static Kind of(BenchmarkParams params) {
    String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
    String name = method.substring(OURS.length()).toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElse(CONTINUATION);
  }

  abstract SchedulerBuilder builder();

  /// Runs code with a scheduler of this kind. Building the scheduler takes microseconds, the code
  /// milliseconds.
  void run(Consumer<Scheduler> code) throws InterruptedException {
    runHere(code);
  }

  void runHere(Consumer<Scheduler> code) {
    try (Scheduler scheduler = builder().build()) {
      code.accept(scheduler);
    }
  }
}
