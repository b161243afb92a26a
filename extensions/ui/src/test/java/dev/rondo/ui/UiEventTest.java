package dev.rondo.ui;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.testing.WaitableContract;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Tests of events of a toolkit: a listener is registered only while a task waits.
class UiEventTest extends WaitableContract<String> {

  private final List<Consumer<? super String>> listeners = new ArrayList<>();
  private int count;

  @Override
  protected Waitable<String> make() {
    return new UiEvent<>(
        scheduler,
        "an event",
        listener -> {
          listeners.add(listener);
          return () -> listeners.remove(listener);
        });
  }

  @Override
  protected Kind kind() {
    return Kind.PASSING;
  }

  @Override
  protected String happen() {
    String event = "event" + ++count;
    for (Consumer<? super String> each : List.copyOf(listeners)) {
      each.accept(event);
    }
    return event;
  }

  @Override
  protected int registered() {
    return UNKNOWN;
  }

  /// All waiters share one listener.
  @org.junit.jupiter.api.AfterEach
  void nobodyListens() {
    org.junit.jupiter.api.Assertions.assertEquals(List.of(), listeners);
  }
}
