package dev.rondo.scheduler.engine.outside;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A JDK future that code of one loop completes. The methods `join` and `get` of this future, and
/// of the futures that depend on it, throw instead of blocking the thread of that loop, because no
/// code could complete the future meanwhile. Any thread.
///
/// @param <T> the type of the result
abstract class GuardedFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  /// The future that the scheduler completes. All futures that depend on it share this reference.
  /// The reference is null when that future is complete, because a dependent future may be kept for
  /// long.
  private final AtomicReference<@Nullable GuardedFuture<?>> source;

  /// Makes a future that is not complete.
  @SuppressWarnings("this-escape") // no code calls it there
  protected GuardedFuture() {
    this.source = new AtomicReference<>(this);
  }

  private GuardedFuture(AtomicReference<@Nullable GuardedFuture<?>> source) {
    this.source = source;
  }

  private static final class Dependent<T extends @Nullable Object> extends GuardedFuture<T> {

    Dependent(AtomicReference<@Nullable GuardedFuture<?>> source) {
      super(source);
    }

    @Override
    protected void requireMayBlock(String call) {} // the source is asked
  }

  private void check(String call) {
    GuardedFuture<?> awaited = source.get();
    if (awaited != null && !awaited.isDone() && !isDone()) {
      awaited.requireMayBlock(call);
    }
  }

  /// Called before a call that may block.
  ///
  /// @param call the name of the call
  /// @throws IllegalStateException if the call would block the thread on which this future will
  ///   complete
  protected abstract void requireMayBlock(String call);

  @Override
  public final boolean complete(T value) {
    boolean first = super.complete(value);
    source.compareAndSet(this, null);
    return first;
  }

  @Override
  public final boolean completeExceptionally(Throwable failure) {
    boolean first = super.completeExceptionally(Objects.requireNonNull(failure, "failure is null"));
    source.compareAndSet(this, null);
    return first;
  }

  @Override
  public final T join() {
    check("join");
    return super.join();
  }

  @Override
  public final T get() throws InterruptedException, ExecutionException {
    check("get");
    return super.get();
  }

  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    Objects.requireNonNull(unit, "unit is null");
    check("get");
    return super.get(timeout, unit);
  }

  @Override
  public final <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new Dependent<>(source);
  }
}
