package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.LazyTasks;
import org.jspecify.annotations.Nullable;

/// The implementation of [dev.rondo.scheduler.addon.LazyTasks.Inheritance].
public final class Inherited implements LazyTasks.Inheritance {

  private final @Nullable Object @Nullable [] locals;
  private final @Nullable Object @Nullable [] context;

  private Inherited(@Nullable Object @Nullable [] locals, @Nullable Object @Nullable [] context) {
    this.locals = locals;
    this.context = context;
  }

  /// The state that a task which is made now inherits; null if there is none.
  static @Nullable Inherited now(Loop loop) {
    @Nullable Object @Nullable [] locals = loop.runningLocals();
    @Nullable Object @Nullable [] context = loop.captureContext();
    return locals == null && context == null ? null : new Inherited(locals, context);
  }

  /// What a task that is not the running one would leave to a task made by it.
  static Inherited from(TaskCore<?> maker) {
    TaskExtras its = maker.extras;
    return new Inherited(TaskLocals.of(maker), its == null ? null : its.context);
  }

  void giveTo(TaskCore<?> task) {
    TaskLocals.bind(task, locals);
    task.keepContext(context);
  }
}
