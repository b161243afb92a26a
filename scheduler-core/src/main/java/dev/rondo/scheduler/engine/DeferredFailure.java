package dev.rondo.scheduler.engine;

import java.util.function.Supplier;

/// Stands for a failure that is made where it is thrown, in the waiting task, so that its trace
/// shows the wait and not the code that ended it.
final class DeferredFailure extends Throwable {

  private static final long serialVersionUID = 1L;

  private final transient Supplier<? extends Throwable> maker;

  DeferredFailure(Supplier<? extends Throwable> maker) {
    super(null, null, false, false);
    this.maker = maker;
  }

  /// Returns what to throw for a failure, which may be a deferred one.
  static Throwable made(Throwable failure) {
    return failure instanceof DeferredFailure deferred ? deferred.maker.get() : failure;
  }
}
