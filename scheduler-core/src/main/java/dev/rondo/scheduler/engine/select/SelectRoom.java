package dev.rondo.scheduler.engine.select;

import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Waitables;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the kernel asks of this room.
public final class SelectRoom extends Waitables {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public SelectRoom() {}

  @Override
  protected <A extends @Nullable Object, R extends @Nullable Object> Waitable<R> mapped(
      Waitable<A> inner, Function<? super A, ? extends R> function) {
    return new Composite.Mapped<>(inner, function);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> firstOf(
      List<? extends Waitable<? extends T>> parts) {
    return Choice.anyOf(parts);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<Selection<T>> numbered(
      Waitable<? extends T>[] branches) {
    return Choice.select(branches);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> guarded(
      Supplier<? extends Waitable<? extends T>> maker) {
    return new Composite.Guard<>(maker);
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> constant() {
    return Composite.Constant.never();
  }

  @Override
  protected <T extends @Nullable Object> Waitable<T> constant(T value) {
    return new Composite.Constant<>(value, true);
  }

  @Override
  protected @Nullable Object taken(TaskCore<?> task, Waitable<Object> event) {
    return TryWaiter.take(task, event);
  }
}
