package dev.rondo.scheduler.coroutine;

import java.util.Objects;

/// A task tried to suspend while a frame on its stack cannot be moved: native code or a class
/// initializer waits for it to return. The task is still running, the scheduler is intact, and the
/// wait has not begun.
public final class PinnedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private PinnedException(String message) {
    super(message);
  }

  /// Makes an exception whose message names the native or `<clinit>` frame nearest to the top of
  /// the stack.
  ///
  /// For backends.
  ///
  /// @param reason what the JVM says, for instance `NATIVE`
  /// @return the exception, for the caller to throw
  public static PinnedException here(String reason) {
    Objects.requireNonNull(reason, "reason is null");
    return new PinnedException(
        "cannot suspend: the stack is pinned (%s) by %s; suspend outside of it, or call it through blocking(..)"
            .formatted(reason, pinningFrame()));
  }

  private static String pinningFrame() {
    return StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
        .walk(frames ->
            frames
                .filter(f -> f.isNativeMethod() || f.getMethodName().equals("<clinit>"))
                .findFirst()
                .map(f -> f.toStackTraceElement().toString())
                .orElse("a frame that the JVM does not name"));
  }
}
