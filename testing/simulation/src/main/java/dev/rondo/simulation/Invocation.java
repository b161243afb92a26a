package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// An operation of a [History], from its call on. Until its outcome is recorded, the operation may
/// or may not have taken effect.
///
/// Confined to the thread of its history.
///
/// @param <I> what is asked of the system
/// @param <O> what it answers
public final class Invocation<I, O extends @Nullable Object> {

  private final History<I, O> history;
  private final String process;
  private final I input;
  private final int call;
  private final Duration calledAt;

  private State state = State.PENDING;
  private int end;
  private @Nullable Duration endedAt;
  private @Nullable O output;
  private String note = "";

  private enum State {
    /// Without an outcome so far.
    PENDING,
    /// The answer is known.
    RETURNED,
    /// It had no effect.
    FAILED,
    /// The outcome will never be known.
    UNKNOWN
  }

  Invocation(History<I, O> history, String process, I input, int call, Duration calledAt) {
    this.history = history;
    this.process = process;
    this.input = input;
    this.call = call;
    this.calledAt = calledAt;
  }

  /// {@return which client called}
  public String process() {
    return process;
  }

  /// {@return what it asked}
  public I input() {
    return input;
  }

  /// Records the answer.
  ///
  /// @param answer of the system; null for an operation that has none
  /// @throws IllegalStateException if an outcome is recorded; it stays
  public void returned(O answer) {
    settle(State.RETURNED);
    output = answer;
    note = " -> " + answer;
  }

  /// Records the return of an operation without an answer: null for its model.
  ///
  /// @throws IllegalStateException if an outcome is recorded; it stays
  void returned() {
    settle(State.RETURNED);
    note = " -> done";
  }

  /// Records that the operation had no effect for certain and will have none: for instance, because
  /// the connection was refused.
  ///
  /// @throws IllegalStateException if an outcome is recorded; it stays
  public void failed() {
    settle(State.FAILED);
    note = " -> failed";
  }

  /// Records that the outcome will not be known, because of a timeout for instance. The operation
  /// may have taken effect, may take effect at any later time, or never.
  ///
  /// @param reason for the reader of a report
  /// @throws IllegalStateException if an outcome is recorded; it stays
  public void unknown(String reason) {
    requireNonNull(reason, "reason is null");
    settle(State.UNKNOWN);
    note = " -> unknown: " + reason;
  }

  private void settle(State to) {
    if (state != State.PENDING) {
      throw new IllegalStateException(
          "the outcome of an operation is recorded once: " + this + ", then=" + to);
    }
    state = to;
    end = history.nextEvent();
    endedAt = history.now();
  }

  Duration calledAt() {
    return calledAt;
  }

  /// {@return when its outcome was recorded; null if it was not}
  @Nullable Duration endedAt() {
    return endedAt;
  }

  int call() {
    return call;
  }

  /// The number of the event of its return. Only if it has returned.
  int end() {
    return end;
  }

  /// The answer. Only if it has returned.
  @SuppressWarnings("NullAway") // an answer may be null if O says so
  O output() {
    return output;
  }

  boolean hasReturned() {
    return state == State.RETURNED;
  }

  boolean hasFailed() {
    return state == State.FAILED;
  }

  /// {@return a line: when, which client, what, and the outcome}
  @Override
  public String toString() {
    return "[%s .. %s] %s: %s%s"
        .formatted(
            seconds(calledAt),
            endedAt == null ? "   pending" : seconds(endedAt),
            process,
            input,
            note);
  }

  private static String seconds(Duration elapsed) {
    return "%3d.%06d s".formatted(elapsed.toSeconds(), elapsed.toNanosPart() / 1_000);
  }
}
