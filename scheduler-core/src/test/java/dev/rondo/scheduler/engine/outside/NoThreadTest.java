package dev.rondo.scheduler.engine.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.LendableEventSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/// A loop that sleeps in two sources of events, on a system that gives no thread for one of them.
final class NoThreadTest {

  private final List<String> log = new ArrayList<>();
  private final Source sockets = new Source("sockets");
  private final Source others = new Source("others");

  /// Has as many events as it was given. A wait that finds none is over when its time is.
  private final class Source implements LendableEventSource {

    final String name;
    int events;

    Source(String name) {
      this.name = name;
    }

    @Override
    public boolean poll() {
      return events > 0;
    }

    @Override
    public boolean await(long nanos) {
      log.add("%s for %d ms".formatted(name, nanos / 1_000_000));
      return poll();
    }

    @Override
    public boolean lend() {
      log.add("lend");
      return true;
    }

    @Override
    public void awaitElsewhere() {
      throw new AssertionError("there is no thread for it");
    }

    @Override
    public void takeBack() {
      log.add("take back");
    }

    @Override
    public void wakeup() {}

    @Override
    public boolean isReal() {
      return true;
    }

    @Override
    public long untilNextNanos() {
      return FOREVER;
    }

    @Override
    public int waitCount() {
      return 1;
    }

    @Override
    public long waitsBegun() {
      return 1;
    }
  }

  private static final class Unstartable extends Thread {

    @Override
    public void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  @Test
  void await_theHelperCannotStart_looksAtBothInTurn() {
    ThreadFactory refusing = body -> new Unstartable();
    EventSource both = JointEvents.of(sockets, others, refusing);
    boolean found = both.await(EventSource.FOREVER);
    assertEquals(List.of("lend", "take back", "others for 2 ms"), log);
    assertEquals(false, found);
    found = both.await(EventSource.FOREVER);
    assertEquals(false, found, "asked again, and refused again");
    sockets.events = 1;
    assertTrue(both.await(EventSource.FOREVER));
  }

  @Test
  void await_lessThanALook_isNotLonger() {
    EventSource both = JointEvents.of(sockets, others, body -> new Unstartable());
    var _ = both.await(1_000_000);
    assertEquals(List.of("lend", "take back", "others for 1 ms"), log);
  }
}
