package dev.rondo.junit;

import dev.rondo.exploration.Choices;
import dev.rondo.junit.internal.RunParameter;
import java.util.ArrayList;
import java.util.List;

/// For tests: a parameter that records the events of its life.
public final class CounterParameter implements RunParameter<CounterParameter.Counter> {

  /// One for each run.
  ///
  /// @param choices of the run
  public record Counter(Choices choices) {}

  static final List<String> EVENTS = new ArrayList<>();

  /// For the loader of services.
  public CounterParameter() {}

  @Override
  public Class<Counter> type() {
    return Counter.class;
  }

  @Override
  public Counter open(Choices choices) {
    EVENTS.add("open");
    return new Counter(choices);
  }

  @Override
  public void close(Counter opened) {
    EVENTS.add("close");
  }
}
