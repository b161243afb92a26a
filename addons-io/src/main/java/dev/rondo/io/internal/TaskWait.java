package dev.rondo.io.internal;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A call that suspends as something to wait for: a task of its own makes it. A wait that is lost
/// cancels that task. For calls whose only effect is their result.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the result of the call
public final class TaskWait<T> implements Waitable<Callable<T>> {

  /// A call that suspends.
  ///
  /// @param <T> its result
  @FunctionalInterface
  public interface Call<T> {

    /// {@return its result}
    ///
    /// @throws IOException if it fails
    T make() throws IOException;
  }

  private final Scheduler scheduler;
  private final String name;
  private final Call<? extends T> call;

  /// Null while this is not armed.
  private @Nullable Task<Callable<T>> task;

  private TaskWait(Scheduler scheduler, String name, Call<? extends T> call) {
    this.scheduler = scheduler;
    this.name = name;
    this.call = call;
  }

  /// {@return a wait that returns or throws what a call does}
  ///
  /// @param <T> its result
  /// @param scheduler of the waiting tasks
  /// @param name of the task, in reports
  /// @param call made for each wait, when it is armed
  public static <T> Waitable<T> of(Scheduler scheduler, String name, Call<? extends T> call) {
    return Waitable.<Callable<T>>guard(() -> new TaskWait<T>(scheduler, name, call))
        .map(Throwables::resultOf);
  }

  @Override
  public void arm(Waiter<? super Callable<T>> waiter) {
    Task<Callable<T>> made = scheduler.newTask(name, this::outcome);
    made.daemon();
    task = made;
    scheduler.scheduleTask(made);
    made.arm(waiter);
  }

  private Callable<T> outcome() {
    try {
      T result = call.make();
      return () -> result;
    } catch (IOException | RuntimeException e) {
      return () -> {
        throw e;
      };
    }
  }

  @Override
  public void disarm(Waiter<? super Callable<T>> waiter) {
    Task<Callable<T>> lost = task;
    if (lost != null) {
      task = null;
      lost.disarm(waiter);
      lost.cancel("nothing waits for it any more");
    }
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return name;
  }
}
