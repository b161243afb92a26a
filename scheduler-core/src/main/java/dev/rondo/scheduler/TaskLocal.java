package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.Faces;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.HashMap;
import java.util.Map;
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
/// block. Add-ons, and tasks that other threads make with [Scheduler#execute], inherit nothing. The
/// task of a timer inherits the bindings from when the timer was started or restarted. The task of
/// a handler inherits the bindings from when the handler was registered. Use a task local instead
/// of a `ThreadLocal` or a `ScopedValue`: on the CONTINUATION backend all tasks share one thread.
///
/// @param <T> the type of the value
public final class TaskLocal<T extends @Nullable Object> {

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

  /// {@return the value of this local in the current task} Never a suspension point.
  ///
  /// @throws NoSuchElementException if this local is not bound in the current task, or outside of a
  ///   task
  public T get() {
    Map<Object, @Nullable Object> bound = bindings();
    if (!bound.containsKey(this)) {
      TaskCore<?> task = Loop.taskOfThread();
      throw new NoSuchElementException(
          this
              + " is not bound in "
              + (task == null ? "code outside of a task" : "task '" + task.name() + "'")
              + ": bind it with TaskLocal.where(..) around this, or around what makes the task");
    }
    return valueIn(bound);
  }

  /// {@return the value of this local in the current task; `other` if it is not bound, or outside
  /// of a task} Any thread. Never a suspension point.
  ///
  /// @param other returned if this local is not bound
  public T getOrDefault(T other) {
    Map<Object, @Nullable Object> bound = bindings();
    return bound.containsKey(this) ? valueIn(bound) : other;
  }

  /// {@return whether this local is bound in the current task} Any thread: false outside of a task.
  /// Never a suspension point.
  public boolean isBound() {
    return bindings().containsKey(this);
  }

  /// The bindings of the current task, as an immutable map.
  private static Map<Object, @Nullable Object> bindings() {
    TaskCore<?> task = Loop.taskOfThread();
    Map<Object, @Nullable Object> bound = task == null ? null : task.locals();
    return bound == null ? Map.of() : bound;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // only values of type T are bound to this local
  private T valueIn(Map<Object, @Nullable Object> bindings) {
    return (T) bindings.get(this);
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
    return new Carrier(Map.of()).where(local, value);
  }

  /// {@return all bindings of the current task, for a block in another task of any scheduler; none
  /// outside of a task} Any thread. Never a suspension point. The values are shared: between
  /// schedulers they must be safe for use by several threads.
  public static Carrier captured() {
    return new Carrier(bindings());
  }

  /// Bindings for a block. Immutable: can be used any number of times, in any task.
  public static final class Carrier {

    private final Map<Object, @Nullable Object> bound;

    private Carrier(Map<Object, @Nullable Object> bound) {
      this.bound = bound;
    }

    /// {@return these bindings and one more, which replaces an earlier binding of the same local}
    ///
    /// @param <T> the type of the value
    /// @param local to be bound
    /// @param value for the block
    public <T extends @Nullable Object> Carrier where(TaskLocal<T> local, T value) {
      Objects.requireNonNull(local, "local is null");
      var all = new HashMap<Object, @Nullable Object>(bound);
      all.put(local, value);
      return new Carrier(all);
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
      TaskCore<?> task = Loop.taskOfThread();
      if (task == null) {
        throw new IllegalStateException(
            "task locals are bound in a task, and this is thread '%s' outside of any: spawn a task, and bind them in there"
                .formatted(Thread.currentThread().getName()));
      }
      Map<Object, @Nullable Object> before = task.locals();
      Map<Object, @Nullable Object> all = bound;
      if (before != null) {
        all = new HashMap<Object, @Nullable Object>(before);
        all.putAll(bound);
      }
      task.bind(all);
      try {
        return code.call();
      } finally {
        task.bind(before);
      }
    }

    /// [#run(TaskCall)] for code without a result. A suspension point if the code is one.
    ///
    /// @param <X> the checked exceptions that the code throws
    /// @param code sees the bindings, and so do the tasks it makes
    /// @throws IllegalStateException outside of a task
    /// @throws X any failure of the code
    @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
    public <X extends Exception> void run(TaskAction<X> code) throws X {
      run(Faces.callable(code));
    }
  }
}
