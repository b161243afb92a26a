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

/// An event made of others, its *parts*: all of them, or any of them. Made by [WaitForSignal#onAll]
/// and [WaitForSignal#onAny]; a part may be a combination itself.
///
/// It watches its parts only while somebody waits for it, or for a combination it is a part of:
/// without that a part that is sent wakes nobody and counts for nothing. It only looks on, so every
/// way to send a part counts, and whoever waits for the part directly gets it as well, first. When
/// it happens it wakes all who wait for it, and begins anew.
///
/// What was seen of *all* stays seen if the waiters leave, because they were cancelled or took
/// something else; later ones wait for the rest, or call [#reset()].
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries
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

  /// Forgets the parts that were seen so far; those of combinations inside are their own. Whoever
  /// waits goes on waiting. Never a suspension point.
  public final void reset() {
    scheduler.host().checkThread();
    forget();
  }

  /// A part has happened.
  abstract void note(Event<?> part, @Nullable Object payload);

  /// Whether it has come about.
  abstract boolean isComplete();

  /// What it carries now that it is complete.
  abstract T result();

  abstract void forget();

  /// It has come about, but whoever waited has just been woken by something else.
  abstract void missed();

  /// It happens if the last part has been noted and somebody is still there for it.
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

  /// It may have come about while the one who waited was being woken by something else.
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
    @SuppressWarnings({"unchecked", "NullAway"}) // a part delivers what it is said to
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

    /// Lost, like any signal.
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

    /// Keeps the first of each.
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
    @SuppressWarnings("unchecked") // the parts deliver what they are said to
    List<T> result() {
      return Collections.unmodifiableList(
          new ArrayList<>((List<T>) Arrays.asList(payloads.clone())));
    }

    /// Kept, like all that was seen.
    @Override
    void missed() {}

    @Override
    void forget() {
      Arrays.fill(payloads, null);
      Arrays.fill(seen, false);
      missing = parts.length;
    }
  }
}
