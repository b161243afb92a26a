package dev.rondo.scheduler.engine;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The stack trace of a call of `cancel`, which is not an error.
public final class CancelSite extends Throwable {

  private static final long serialVersionUID = 1L;

  /// Classes whose frames are not the caller's.
  private static final Set<String> MACHINERY =
      Set.of(
          CancelSite.class.getName(),
          CancelRequest.class.getName(),
          ScopeCore.class.getName(),
          Closing.class.getName(),
          Driver.class.getName(),
          GroupBlock.class.getName(),
          Loop.class.getName(),
          SchedulerCore.class.getName(),
          TaskCore.class.getName(),
          GroupCore.class.getName());

  CancelSite(String canceller, @Nullable Throwable cause) {
    super("cancelled here, by " + canceller, cause);
  }

  /// {@return the frame that called `cancel`; null if the virtual machine left it out}
  ///
  /// @param site of the call
  public static @Nullable StackTraceElement callerIn(Throwable site) {
    return Arrays.stream(site.getStackTrace())
        .filter(frame -> !MACHINERY.contains(frame.getClassName()))
        .findFirst()
        .orElse(null);
  }
}
