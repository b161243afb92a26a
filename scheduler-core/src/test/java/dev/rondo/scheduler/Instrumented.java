package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.observe.Instrument;

/// Lets tests in other packages put an instrument of their own into a scheduler.
public final class Instrumented {

  private Instrumented() {}

  /// {@return a scheduler with one more instrument}
  public static Scheduler build(SchedulerBuilder builder, Instrument instrument) {
    return builder.instrument(instrument).build();
  }
}
