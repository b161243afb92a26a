package dev.rondo.condition;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Waiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An event made of other events, its *parts*. It happens when all of them have happened
/// ([WaitForSignal#onAll]) or any of them ([WaitForSignal#onAny]). A part may be a composite signal
/// itself.
///
/// A composite signal watches its parts only while a task waits for it or for a composite signal
/// that contains it; at other times the parts do not count. It observes a part however the part is
/// sent. Tasks that wait for the part itself wake up as well, and first. When the composite signal
/// happens it wakes all tasks that wait for it, and starts over.
///
/// When the last waiting task leaves, because it was cancelled or took another branch of a select,
/// the parts that have come are forgotten, as by [#reset()].
///
/// Confined to the scheduler's thread.
///
/// @param <T> the payload
public abstract sealed class CompositeSignal<T extends @Nullable Object> extends Event<T> {

  private final Set<Event<?>> parts;
  private boolean watching;

  CompositeSignal(String kind, List<? extends Event<?>> parts) {
    super(scheduler(kind, parts), kind, names(parts));
    for (Event<?> part : parts) {
      if (part.scheduler != scheduler) {
        throw new IllegalArgumentException(
            "%s: %s belongs to another scheduler".formatted(this, part));
      }
    }
    this.parts = new LinkedHashSet<>(parts);
  }

  private static Scheduler scheduler(String kind, List<? extends Event<?>> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(kind + " needs at least one part");
    }
    return parts.getFirst().scheduler;
  }

  private static String names(List<? extends Event<?>> parts) {
    return parts.stream().map(Event::name).collect(Collectors.joining(", "));
  }

  /// Forgets the parts that have come so far; composite signals among the parts keep theirs.
  /// Waiting tasks go on waiting. Never a suspension point.
  public final void reset() {
    scheduler.host().checkThread();
    forget();
  }

  /// Records that a part has happened.
  abstract void note(Event<?> part, @Nullable Object payload);

  /// Whether enough parts have happened.
  abstract boolean isComplete();

  /// The payload, once the signal is complete.
  abstract T result();

  abstract void forget();

  /// Called if the signal is complete but its waiters have just been woken by other events.
  abstract void missed();

  /// Lets the signal happen if it is complete and still awaited.
  final int happenIfComplete(Reach reach) {
    if (!isComplete()) {
      return 0;
    }
    if (!isAwaited()) {
      missed();
      return 0;
    }
    int woken = happen(take(), reach);
    endIfUnawaited();
    return woken;
  }

  private T take() {
    T result = result();
    forget();
    return result;
  }

  // Watching while awaited.

  @Override
  void watched() {
    begin();
  }

  @Override
  void unwatched() {
    endIfUnawaited();
  }

  /// Fires if the signal was complete while its waiter was woken by another event.
  @Override
  public final boolean poll(Waiter<? super T> waiter) {
    scheduler.host().checkThread();
    if (!isComplete() || !waiter.fire(result())) {
      return false;
    }
    forget();
    return true;
  }

  @Override
  public final void arm(Waiter<? super T> waiter) {
    if (!poll(waiter)) {
      waiters.add(waiter);
      begin();
    }
  }

  @Override
  public final void disarm(Waiter<? super T> waiter) {
    if (waiters.remove(waiter)) {
      endIfUnawaited();
    }
  }

  private void begin() {
    if (!watching) {
      watching = true;
      parts.forEach(part -> part.watch(this));
    }
  }

  private void endIfUnawaited() {
    if (watching && !isAwaited()) {
      watching = false;
      parts.forEach(part -> part.unwatch(this));
      forget();
    }
  }

  /// [WaitForSignal#onAny].
  static final class Any<T extends @Nullable Object> extends CompositeSignal<Selection<T>> {

    private final List<? extends Event<? extends T>> parts;
    private @Nullable Selection<T> first;

    Any(List<? extends Event<? extends T>> parts) {
      super("any of", parts);
      this.parts = parts;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a part delivers payloads of its type
    void note(Event<?> part, @Nullable Object payload) {
      if (first == null) {
        first = new Selection<>(parts.indexOf(part), (T) payload);
      }
    }

    @Override
    boolean isComplete() {
      return first != null;
    }

    @Override
    @SuppressWarnings("NullAway") // only when complete
    Selection<T> result() {
      return first;
    }

    /// It is lost, like any signal.
    @Override
    void missed() {
      forget();
    }

    @Override
    void forget() {
      first = null;
    }
  }

  /// [WaitForSignal#onAll].
  static final class All<T extends @Nullable Object> extends CompositeSignal<List<T>> {

    private final Event<?>[] parts;
    private final @Nullable Object[] payloads;
    private final boolean[] seen;
    private int missing;

    All(List<? extends Event<? extends T>> parts) {
      super("all of", parts);
      this.parts = parts.toArray(new Event<?>[0]);
      payloads = new Object[this.parts.length];
      seen = new boolean[this.parts.length];
      missing = this.parts.length;
    }

    /// Keeps the first payload of each part.
    @Override
    void note(Event<?> part, @Nullable Object payload) {
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] == part && !seen[i]) {
          seen[i] = true;
          payloads[i] = payload;
          missing--;
        }
      }
    }

    @Override
    boolean isComplete() {
      return missing == 0;
    }

    @Override
    @SuppressWarnings("unchecked") // a part delivers payloads of its type
    List<T> result() {
      return Collections.unmodifiableList(
          new ArrayList<>((List<T>) Arrays.asList(payloads.clone())));
    }

    /// It is lost, like any signal.
    @Override
    void missed() {
      forget();
    }

    @Override
    void forget() {
      Arrays.fill(payloads, null);
      Arrays.fill(seen, false);
      missing = parts.length;
    }
  }
}
