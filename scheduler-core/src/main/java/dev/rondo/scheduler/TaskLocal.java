package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.TaskLocals;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Objects;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// A value that a task has during a block, and that the tasks which it makes in that block inherit:
/// for instance the user of a request, or a trace id. The counterpart of a thread's `ScopedValue`.
///
/// ```java
/// static final TaskLocal<String> USER = TaskLocal.named("user");
///
/// TaskLocal.where(USER, "ada").run(() -> scheduler.spawn(() -> greet(USER.get())));
/// ```
///
/// A task inherits the bindings of the task that makes it, and keeps them after the end of that
/// block. Add-ons inherit nothing, nor do tasks that other threads make with [Scheduler#execute].
/// The task of a timer inherits the bindings from when the timer was started or restarted. The task
/// of a handler inherits those from when the handler was registered. Use a task local instead of a
/// `ThreadLocal` or a `ScopedValue`: on the CONTINUATION backend all tasks share one thread.
///
/// A read searches the bindings, so a task should have only a few. A task without bindings has one
/// field that is null.
///
/// @param <T> the type of the value
public final class TaskLocal<T extends @Nullable Object> {

  /// A task's bindings are pairs in an array that never changes: a local, its value, a local and so
  /// on.
  private static final int PAIR = 2;

  private final String name;

  private TaskLocal(String name) {
    this.name = Objects.requireNonNull(name, "name is null");
  }

  /// {@return a new task local, bound in no task} Any thread.
  ///
  /// @param <T> the type of the value
  /// @param name shown in messages
  public static <T extends @Nullable Object> TaskLocal<T> named(String name) {
    return new TaskLocal<>(name);
  }

  /// {@return its value in the current task} Never a suspension point.
  ///
  /// @throws NoSuchElementException if it is not bound there, or this is not a task
  public T get() {
    Task<?> task = current();
    @Nullable Object @Nullable [] bound = task == null ? null : TaskLocals.of(task);
    int at = indexIn(bound);
    if (bound == null || at < 0) {
      throw new NoSuchElementException(
          this
              + " is not bound in "
              + (task == null ? "code outside of a task" : "task '" + task.name() + "'")
              + ": bind it with TaskLocal.where(..) around this, or around what makes the task");
    }
    return valueAt(bound, at);
  }

  /// {@return its value in the current task; another value if it is not bound, or outside of a
  /// task} Any thread. Never a suspension point.
  ///
  /// @param other for when it is not bound
  public T getOrDefault(T other) {
    @Nullable Object @Nullable [] bound = bindings();
    int at = indexIn(bound);
    return bound == null || at < 0 ? other : valueAt(bound, at);
  }

  /// {@return whether it is bound in the current task} Any thread: false outside of a task. Never a
  /// suspension point.
  public boolean isBound() {
    return indexIn(bindings()) >= 0;
  }

  private static @Nullable Object @Nullable [] bindings() {
    Task<?> task = current();
    return task == null ? null : TaskLocals.of(task);
  }

  private static @Nullable Task<?> current() {
    return TaskLocals.currentTask();
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // only values of our T are bound to us
  private T valueAt(@Nullable Object[] bindings, int at) {
    return (T) bindings[at + 1];
  }

  private int indexIn(@Nullable Object @Nullable [] bindings) {
    if (bindings != null) {
      for (int i = 0; i < bindings.length; i += PAIR) {
        if (bindings[i] == this) {
          return i;
        }
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "task local '" + name + "'";
  }

  /// {@return a binding for a block} Any thread.
  ///
  /// @param <T> the type of the value
  /// @param local to be bound; hides an earlier binding meanwhile
  /// @param value for the block
  public static <T extends @Nullable Object> Carrier where(TaskLocal<T> local, T value) {
    return new Carrier(new Object[0]).where(local, value);
  }

  /// {@return all bindings of the current task, for a block in another task of any scheduler; none
  /// outside of a task} Any thread. Never a suspension point. The values are shared: between
  /// schedulers they must be safe for use by several threads.
  public static Carrier captured() {
    @Nullable Object @Nullable [] bound = bindings();
    return new Carrier(bound == null ? new Object[0] : bound);
  }

  /// Bindings for a block. Immutable: can be used any number of times, in any task.
  public static final class Carrier {

    private final @Nullable Object[] pairs;

    private Carrier(@Nullable Object[] pairs) {
      this.pairs = pairs;
    }

    /// {@return these bindings and one more; the later of two for one local counts}
    ///
    /// @param <T> the type of the value
    /// @param local to be bound
    /// @param value for the block
    public <T extends @Nullable Object> Carrier where(TaskLocal<T> local, T value) {
      Objects.requireNonNull(local, "local is null");
      return new Carrier(with(pairs, local, value));
    }

    /// Runs code in the current task with these bindings. A suspension point if the code is one.
    ///
    /// @param <R> the type of the result
    /// @param <X> the checked exceptions that the code throws
    /// @param code sees the bindings, and so do the tasks it makes
    /// @return what the code returns
    /// @throws IllegalStateException outside of a task
    /// @throws X any failure of the code
    public <R extends @Nullable Object, X extends Exception> R run(TaskCall<? extends R, X> code)
        throws X {
      Objects.requireNonNull(code, "code is null");
      Task<?> task = current();
      if (task == null) {
        throw new IllegalStateException(
            "task locals are bound in a task, and this is thread '%s' outside of any: spawn a task, and bind them in there"
                .formatted(Thread.currentThread().getName()));
      }
      @Nullable Object @Nullable [] before = TaskLocals.of(task);
      @Nullable Object[] all = before == null ? pairs : before;
      if (before != null) {
        for (int i = 0; i < pairs.length; i += PAIR) {
          all = with(all, (TaskLocal<?>) Objects.requireNonNull(pairs[i]), pairs[i + 1]);
        }
      }
      TaskLocals.bind(task, all);
      try {
        return code.call();
      } finally {
        TaskLocals.bind(task, before);
      }
    }

    /// [#run(TaskCall)] for code without a result. A suspension point if the code is one.
    ///
    /// @param <X> the checked exceptions that the code throws
    /// @param code sees the bindings, and so do the tasks it makes
    /// @throws IllegalStateException outside of a task
    /// @throws X any failure of the code
    @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
    public <X extends Exception> void run(TaskAction<X> code) throws X {
      Objects.requireNonNull(code, "code is null");
      var _ =
          this.<@Nullable Object, X>run(() -> {
            code.run();
            return null;
          });
    }

    /// Makes a copy with one more binding, which replaces an earlier one for the same local.
    /// Otherwise the array would grow in a chain of tasks that each bind the local and make the
    /// next task.
    private static @Nullable Object[] with(
        @Nullable Object[] pairs, TaskLocal<?> local, @Nullable Object value) {
      int at = local.indexIn(pairs);
      boolean hides = at >= 0;
      @Nullable Object[] copy = Arrays.copyOf(pairs, hides ? pairs.length : pairs.length + PAIR);
      int to = hides ? at : pairs.length;
      copy[to] = local;
      copy[to + 1] = value;
      return copy;
    }
  }
}
