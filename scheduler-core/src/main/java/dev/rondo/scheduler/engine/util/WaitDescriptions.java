package dev.rondo.scheduler.engine.util;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import org.jspecify.annotations.Nullable;

/// Asks waitables and other objects of the user for their description. If one throws, the
/// description says so: a report must not fail because of what it reports.
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

  /// {@return the name of the one task that must act first; null if there is none}
  public static @Nullable String holderName(Waitable<?> waitable) {
    try {
      Task<?> holder = waitable.holder();
      return holder == null ? null : holder.name();
    } catch (Throwable e) {
      return threw("holder()", e);
    }
  }

  private static String threw(String call, Throwable e) {
    return " (its " + call + " threw " + e.getClass().getName() + ")"; // getMessage() may throw too
  }
}
