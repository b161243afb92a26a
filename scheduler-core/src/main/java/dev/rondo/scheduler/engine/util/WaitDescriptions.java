package dev.rondo.scheduler.engine.util;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// Describes objects of user code, such as waitables. If the code of an object throws, the
/// description says so, because a report must not fail because of the objects that it shows.
public final class WaitDescriptions {

  private WaitDescriptions() {}

  /// {@return the string form of an object}
  public static String describe(Object thing) {
    try {
      return String.valueOf(thing.toString());
    } catch (Throwable e) {
      return thing.getClass().getName() + threw("toString()", e);
    }
  }

  /// {@return the text that replaces a description that could not be made}
  ///
  /// @param call the call that failed
  /// @param failure the exception that the call threw
  public static String threw(String call, Throwable failure) {
    return " (its "
        + call
        + " threw "
        + failure.getClass().getName()
        + ")"; // getMessage() may throw
  }

  /// {@return the name of the only task that must act before an event can come; null if there is no
  /// single one} If [Waitable#holder()] throws, the text says so.
  public static @Nullable String holder(Waitable<?> awaited) {
    try {
      Task<?> holder = awaited.holder();
      return holder == null ? null : holder.name();
    } catch (Throwable e) {
      return threw("holder()", e);
    }
  }
}
