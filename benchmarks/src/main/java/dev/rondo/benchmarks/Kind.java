package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The kinds of scheduler that stackful benchmarks run on.
enum Kind {
  /// Continuations.
  CONTINUATION {
    @Override
    SchedulerBuilder builder() {
      return Scheduler.builder().backend(CoroutineBackends.continuation());
    }
  },

  /// Continuations, one of which need not be unmounted.
  RESIDENT {
    @Override
    SchedulerBuilder builder() {
      return CONTINUATION.builder().withMountedTask();
    }
  },

  /// Virtual threads scheduled by the loop.
  BOUND {
    @Override
    SchedulerBuilder builder() {
      return Scheduler.builder().backend(CoroutineBackends.bound());
    }
  },

  /// Virtual threads that take turns with the loop, itself on one, as `Application.run` has it.
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

  private static final String OURS = "rondo";

  /// {@return the kind that the method's name tells: BOUND of `rondoBound`} CONTINUATION if none.
  static Kind of(BenchmarkParams params) {
    String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
    String name = method.substring(OURS.length()).toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElse(CONTINUATION);
  }

  abstract SchedulerBuilder builder();

  /// Has code use a scheduler of this kind, made for it: microseconds beside the milliseconds that
  /// such code takes.
  void run(Consumer<Scheduler> code) throws InterruptedException {
    runHere(code);
  }

  void runHere(Consumer<Scheduler> code) {
    try (Scheduler scheduler = builder().build()) {
      code.accept(scheduler);
    }
  }
}
