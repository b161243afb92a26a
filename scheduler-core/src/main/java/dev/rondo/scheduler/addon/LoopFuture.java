package dev.rondo.scheduler.addon;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A future of the JDK that code of one scheduler completes. Its methods `join` and `get`, and
/// those of the futures that depend on it, throw instead of blocking the thread of that scheduler,
/// because nothing could complete the future meanwhile. Any thread.
///
/// @param <T> the type of the result
public abstract class LoopFuture<T extends @Nullable Object> extends CompletableFuture<T> {

  /// The state that a future shares with the futures that depend on it.
  private static final class Source {

    /// Null when it is complete, because a dependent future may be kept for long.
    volatile @Nullable LoopFuture<?> future;

    Source(LoopFuture<?> future) {
      this.future = future;
    }

    void requireMayBlock(CompletableFuture<?> called, String call) {
      LoopFuture<?> awaited = future;
      if (awaited != null && !awaited.isDone() && !called.isDone()) {
        awaited.requireMayBlock(call);
      }
    }
  }

  private static final class Dependent<T extends @Nullable Object> extends CompletableFuture<T> {

    private final Source source;

    Dependent(Source source) {
      this.source = source;
    }

    @Override
    public T join() {
      source.requireMayBlock(this, "join");
      return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
      source.requireMayBlock(this, "get");
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      source.requireMayBlock(this, "get");
      return super.get(timeout, unit);
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
      return new Dependent<>(source);
    }
  }

  private final Source source = new Source(this);

  /// Makes a future that is not complete.
  protected LoopFuture() {}

  /// Called before a call that may block. See [TaskControl#requireMayBlock].
  ///
  /// @param call its name
  /// @throws IllegalStateException if the call would block the thread on which this is to complete
  protected abstract void requireMayBlock(String call);

  @Override
  public final boolean complete(T value) {
    boolean first = super.complete(value);
    source.future = null;
    return first;
  }

  @Override
  public final boolean completeExceptionally(Throwable failure) {
    boolean first = super.completeExceptionally(Objects.requireNonNull(failure, "failure is null"));
    source.future = null;
    return first;
  }

  @Override
  public final T join() {
    source.requireMayBlock(this, "join");
    return super.join();
  }

  @Override
  public final T get() throws InterruptedException, ExecutionException {
    source.requireMayBlock(this, "get");
    return super.get();
  }

  @Override
  public final T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    Objects.requireNonNull(unit, "unit is null");
    source.requireMayBlock(this, "get");
    return super.get(timeout, unit);
  }

  @Override
  public final <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new Dependent<>(source);
  }
}
