package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.addon.TaskControl;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The implementation of [TaskControl].
public final class TaskControlCore extends TaskControl {

  private final Loop loop;

  TaskControlCore(Loop loop) {
    this.loop = loop;
  }

  @Override
  public <T extends @Nullable Object> Task<T> spawnFor(
      Task<?> maker, TaskGroup<T> group, String name, TaskCall<? extends T, ?> code) {
    TaskCore<?> core = TaskCore.of(Objects.requireNonNull(maker, "maker is null"), loop);
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(code, "code is null");
    var home = (Scopes.Group<T>) Objects.requireNonNull(group, "group is null");
    return home.spawnFor(core, name, code);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> T withoutScheduling(
      TaskCall<? extends T, X> code) throws X {
    Objects.requireNonNull(code, "code is null");
    return loop.currentStackful("withoutScheduling").withoutScheduling(code);
  }

  @Override
  public <X extends Exception> void withoutScheduling(TaskAction<X> code) throws X {
    withoutScheduling(TaskFactory.callable(Objects.requireNonNull(code, "code is null")));
  }

  @Override
  public boolean failWait(Task<?> task, Supplier<? extends RuntimeException> failure) {
    return WaitLimit.failWait(
        TaskCore.of(task, loop), Objects.requireNonNull(failure, "failure is null"));
  }

  @Override
  public void whenParked(Task<?> task, Runnable action) {
    TaskCore.of(task, loop).whenParked(Objects.requireNonNull(action, "action is null"));
  }

  @Override
  public <T extends @Nullable Object> T offStack(Supplier<T> code) {
    return OutsideWaits.room().offStack(loop, Objects.requireNonNull(code, "code is null"));
  }

  @Override
  public <T extends @Nullable Object> T withoutTask(Supplier<T> code) {
    Objects.requireNonNull(code, "code is null");
    loop.checkCaller();
    boolean wasHidden = loop.hideCurrentTask();
    try {
      return code.get();
    } finally {
      loop.restoreCurrentTask(wasHidden);
    }
  }

  @Override
  public OptionalLong limitNanos() {
    loop.checkCaller();
    CancelSource innermost =
        loop.currentTask() instanceof StackfulTask<?> task ? task.cancelSource() : null;
    return innermost == null ? OptionalLong.empty() : innermost.deadlineNanos();
  }

  @Override
  public void report(String where, Throwable failure, BooleanSupplier received) {
    Objects.requireNonNull(where, "where is null");
    Objects.requireNonNull(failure, "failure is null");
    loop.report(where, failure, Objects.requireNonNull(received, "received is null"));
  }

  @Override
  public void requireMayBlock(String call, String instead) {
    Objects.requireNonNull(call, "call is null");
    Objects.requireNonNull(instead, "instead is null");
    CurrentLoop.requireMayBlock(loop, call, instead);
  }
}
