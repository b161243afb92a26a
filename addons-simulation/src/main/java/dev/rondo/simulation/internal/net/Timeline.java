package dev.rondo.simulation.internal.net;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// The events of a network in the order of their instants; those of one instant in the order in
/// which they were scheduled.
public final class Timeline {

  /// There is no event.
  public static final long NEVER = Long.MAX_VALUE;

  /// Something that happens at an instant, unless it is cancelled before.
  public static final class Event implements Comparable<Event> {

    private final long instant;
    private final long number;
    private @Nullable Runnable action;

    private Event(long instant, long number, Runnable action) {
      this.instant = instant;
      this.number = number;
      this.action = action;
    }

    /// Makes this event do nothing.
    public void cancel() {
      action = null;
    }

    @Override
    public int compareTo(Event other) {
      int byInstant = Long.compare(instant, other.instant);
      return byInstant != 0 ? byInstant : Long.compare(number, other.number);
    }
  }

  private final Clock clock;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long scheduled;

  /// Creates a timeline without events.
  ///
  /// @param clock its time
  public Timeline(Clock clock) {
    this.clock = clock;
  }

  /// {@return the current instant in nanoseconds}
  public long now() {
    return clock.nanos();
  }

  /// Schedules an event.
  ///
  /// @param nanos from now on, at least zero
  /// @param action what happens
  /// @return the event
  public Event after(long nanos, Runnable action) {
    long instant = now() + nanos;
    var event = new Event(instant < 0 ? NEVER : instant, scheduled++, action);
    events.add(event);
    return event;
  }

  /// {@return the instant of the next event, or [#NEVER]}
  public long nextInstant() {
    Event next = next();
    return next == null ? NEVER : next.instant;
  }

  private @Nullable Event next() {
    Event next = events.peek();
    while (next != null && next.action == null) {
      events.poll();
      next = events.peek();
    }
    return next;
  }

  /// Runs the events whose instant has come, and those that these schedule for now.
  public void runDue() {
    for (Event next = next(); next != null && next.instant <= now(); next = next()) {
      events.poll();
      Runnable action = next.action;
      if (action != null) {
        action.run();
      }
    }
  }

  /// Moves the clock to an instant, unless it has passed, and runs what is due then. Events before
  /// that instant must have run.
  ///
  /// @param instant in nanoseconds
  public void advanceTo(long instant) {
    if (instant > now()) {
      clock.advanceTo(instant);
    }
    runDue();
  }
}
