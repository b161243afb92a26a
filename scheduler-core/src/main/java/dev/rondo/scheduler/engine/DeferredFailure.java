package dev.rondo.scheduler.engine;

import java.util.function.Supplier;

/// A placeholder for a failure. The waiting task makes the failure itself, when it throws, so that
/// the stack trace shows the wait and not the code that ended the wait.
public final class DeferredFailure extends Throwable {

  private static final long serialVersionUID = 1L;

  private final transient Supplier<? extends Throwable> maker;

  public DeferredFailure(Supplier<? extends Throwable> maker) {
    super(null, null, false, false);
    this.maker = maker;
  }

  /// Returns the failure to throw. A deferred failure is made now.
  public static Throwable made(Throwable failure) {
    return failure instanceof DeferredFailure deferred ? deferred.maker.get() : failure;
  }
}
