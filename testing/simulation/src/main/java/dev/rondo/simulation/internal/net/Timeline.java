package dev.rondo.simulation.internal.net;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The events of a network in the order of their instants; those of one instant in the order in
/// which they were scheduled.
public final class Timeline {

  /// There is no event.
  public static final long NEVER = Long.MAX_VALUE;

  /// Something that happens at an instant, unless it is cancelled before.
  public final class Event implements Comparable<Event> {

    private final long instant;
    private final long number;
    private final @Nullable Timer timer;
    private @Nullable Runnable action;

    private Event(long instant, long number, @Nullable Timer timer, Runnable action) {
      this.instant = instant;
      this.number = number;
      this.timer = timer;
      this.action = action;
    }

    /// Makes this event do nothing.
    public void cancel() {
      if (action != null) {
        action = null;
        certain--;
      }
    }

    /// {@return what to run; no later call returns it}
    private @Nullable Runnable take() {
      Runnable taken = action;
      if (timer != null) {
        timer.queued = null;
      } else {
        cancel();
      }
      return taken;
    }

    @Override
    public int compareTo(Event other) {
      int byInstant = Long.compare(instant, other.instant);
      return byInstant != 0 ? byInstant : Long.compare(number, other.number);
    }
  }

  /// An event that can be put off and cancelled, again and again.
  final class Timer {

    private final Runnable action;

    /// Null if it always matters.
    private final @Nullable BooleanSupplier matters;

    private long deadline = NEVER;
    private long number;

    /// Where it is in the queue, at its deadline or earlier.
    private @Nullable Event queued;

    private Timer(Runnable action, @Nullable BooleanSupplier matters) {
      this.action = action;
      this.matters = matters;
    }

    boolean isSet() {
      return deadline != NEVER;
    }

    /// Lets it happen this many nanoseconds from now on, and not when it was to happen before.
    void set(long nanos) {
      cancel();
      deadline = instantAfter(nanos);
      number = scheduled++;
      if (matters == null) {
        certain++;
      } else {
        uncertain.add(this);
      }
      Event known = queued;
      if (known == null || known.instant > deadline) {
        if (known != null) {
          known.action = null;
        }
        enqueue();
      }
    }

    void cancel() {
      if (isSet()) {
        deadline = NEVER;
        if (matters == null) {
          certain--;
        } else {
          uncertain.remove(this);
        }
      }
    }

    private void enqueue() {
      var event = new Event(deadline, number, this, this::happen);
      queued = event;
      events.add(event);
    }

    private void happen() {
      cancel();
      action.run();
    }
  }

  private final Clock clock;
  private final PriorityQueue<Event> events = new PriorityQueue<>();

  /// How many events happen in any case.
  private int certain;

  /// Timers that are set and may have no effect.
  private final List<Timer> uncertain = new ArrayList<>();

  private long scheduled;
  private Runnable changed = () -> {};

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

  private long instantAfter(long nanos) {
    long instant = now() + nanos;
    return instant < 0 ? NEVER - 1 : instant;
  }

  /// Schedules an event.
  ///
  /// @param nanos from now on, at least zero
  /// @param action what happens
  /// @return the event
  public Event after(long nanos, Runnable action) {
    certain++;
    var event = new Event(instantAfter(nanos), scheduled++, null, action);
    events.add(event);
    return event;
  }

  /// {@return a timer that is not set}
  Timer timer(Runnable action) {
    return new Timer(action, null);
  }

  /// {@return a timer that is not set} While nothing else is left to happen and no such timer
  /// matters, nothing can happen.
  ///
  /// @param matters whether the action would have an effect, as things are
  Timer timer(Runnable action, BooleanSupplier matters) {
    return new Timer(action, matters);
  }

  /// {@return the instant of the next event, or [#NEVER] if nothing can happen}
  public long nextInstant() {
    Event next = next();
    if (next == null || (certain == 0 && uncertain.stream().noneMatch(Timeline::matters))) {
      return NEVER;
    }
    return next.instant;
  }

  private static boolean matters(Timer timer) {
    BooleanSupplier matters = timer.matters;
    return matters == null || matters.getAsBoolean();
  }

  private @Nullable Event next() {
    for (Event next = events.peek(); next != null; next = events.peek()) {
      Timer timer = next.timer;
      if (next.action != null && (timer == null || timer.deadline == next.instant)) {
        return next;
      }
      events.poll();
      if (timer != null && next.action != null) {
        timer.queued = null;
        if (timer.isSet()) {
          timer.enqueue();
        }
      }
    }
    return null;
  }

  /// Runs the events whose instant has come, and the events that these schedule for now.
  public void runDue() {
    boolean any = false;
    for (Event next = next(); next != null && next.instant <= now(); next = next()) {
      events.poll();
      Runnable action = next.take();
      if (action != null) {
        any = true;
        action.run();
      }
    }
    if (any) {
      changed.run();
    }
  }

  /// Runs something whenever events have happened.
  ///
  /// @param action the only one; must not let time pass
  void whenChanged(Runnable action) {
    changed = action;
  }

  /// Moves the clock to an instant, unless it has passed, and runs the events due then. Events
  /// before that instant must have run.
  ///
  /// @param instant in nanoseconds
  public void advanceTo(long instant) {
    if (instant > now()) {
      clock.advanceTo(instant);
    }
    runDue();
  }
}
