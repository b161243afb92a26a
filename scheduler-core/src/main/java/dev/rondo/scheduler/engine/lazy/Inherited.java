package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state that a task inherits from the code that makes it: the [TaskLocal]s of the running
/// task, and the context of the thread, see [dev.rondo.scheduler.addon.ContextPropagation].
/// Immutable.
public final class Inherited {

  private final @Nullable Map<Object, @Nullable Object> locals;
  private final @Nullable Object @Nullable [] context;

  private Inherited(
      @Nullable Map<Object, @Nullable Object> locals, @Nullable Object @Nullable [] context) {
    this.locals = locals;
    this.context = context;
  }

  /// The state that a task inherits if it is made now; null if there is none.
  static @Nullable Inherited now(Loop loop) {
    Map<Object, @Nullable Object> locals = loop.runningLocals();
    Rooms.Contexts contexts = loop.contexts;
    @Nullable Object @Nullable [] context = contexts == null ? null : contexts.capture();
    return locals == null && context == null ? null : new Inherited(locals, context);
  }

  void giveTo(TaskCore<?> task) {
    task.bind(locals);
    task.keepContext(context);
  }
}
