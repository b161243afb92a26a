package dev.rondo.simulation.internal.linear;

/// Between which events an operation took effect, or may have.
///
/// @param call the number of the event of its call
/// @param end the number of the event of its return; [#NEVER] if there was none, and the operation
///   need not have taken effect
public record Span(int call, int end) {

  /// The end of an operation without a known outcome.
  public static final int NEVER = Integer.MAX_VALUE;

  public Span {
    if (call < 0 || end <= call) {
      throw new IllegalArgumentException(
          "an operation ends after its call: call=%d, end=%d".formatted(call, end));
    }
  }

  boolean isPending() {
    return end == NEVER;
  }
}
