package dev.rondo.scheduler.coroutine;

/// A task tried to give way while a frame on its stack cannot be moved: native code, or a class
/// initializer, is waiting for it to return. The task is still running and its scheduler is intact;
/// the wait it asked for was not begun.
public final class PinnedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private PinnedException(String message) {
    super(message);
  }

  /// Describes the current stack: names the native or `<clinit>` frame nearest to the top.
  ///
  /// @param reason what the virtual machine says, for instance `NATIVE`
  static PinnedException here(String reason) {
    return new PinnedException(
        "cannot suspend: the stack is pinned (%s) by %s; give way outside of it, or call it through blocking(..)"
            .formatted(reason, pinningFrame()));
  }

  private static String pinningFrame() {
    return StackWalker.getInstance(StackWalker.Option.SHOW_HIDDEN_FRAMES)
        .walk(frames ->
            frames
                .filter(f -> f.isNativeMethod() || f.getMethodName().equals("<clinit>"))
                .findFirst()
                .map(f -> f.toStackTraceElement().toString())
                .orElse("a frame the virtual machine does not name"));
  }
}
