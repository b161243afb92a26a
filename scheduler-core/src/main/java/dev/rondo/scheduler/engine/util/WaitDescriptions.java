package dev.rondo.scheduler.engine.util;

/// Describes objects of user code, such as waitables. If the code of an object throws, its
/// description says so: a report must not fail because of the objects that it shows.
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
  /// @param failure what it threw
  public static String threw(String call, Throwable failure) {
    return " (its "
        + call
        + " threw "
        + failure.getClass().getName()
        + ")"; // getMessage() may throw
  }
}
