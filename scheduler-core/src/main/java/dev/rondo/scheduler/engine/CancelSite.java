package dev.rondo.scheduler.engine;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records the stack trace of a call of `cancel`. It is never thrown.
public final class CancelSite extends Throwable {

  private static final long serialVersionUID = 1L;

  /// The beginnings of the names of the classes between the caller and this one.
  private static final List<String> OWN =
      List.of(
          "dev.rondo.scheduler.engine.",
          "dev.rondo.scheduler.coroutine.",
          "dev.rondo.bound.",
          "jdk.internal.vm.",
          "java.lang.VirtualThread");

  CancelSite(String canceller, @Nullable Throwable cause) {
    super("cancelled here, by " + canceller, cause);
  }

  /// {@return the frame that called the engine; null if there is none on the stack}
  ///
  /// @param site of the call
  public static @Nullable StackTraceElement callerIn(Throwable site) {
    return Arrays.stream(site.getStackTrace())
        .filter(frame -> OWN.stream().noneMatch(frame.getClassName()::startsWith))
        .findFirst()
        .orElse(null);
  }
}
