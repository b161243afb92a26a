package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.Scopes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the kernel asks of this room.
public final class ScopeRoom extends Scopes {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public ScopeRoom() {}

  @Override
  protected <T extends @Nullable Object> TaskGroup<T> group(
      SchedulerCore scheduler, String name, TaskGroup.Policy policy) {
    return new GroupCore<>(scheduler.loop, scheduler.taskFactory, name, policy);
  }

  @Override
  protected CancelScope scope(SchedulerCore scheduler, String name) {
    Loop loop = scheduler.loop;
    loop.checkCaller();
    return new ScopeCore(loop, name, false);
  }

  @Override
  protected <T extends @Nullable Object> Generator<T> generator(
      SchedulerCore scheduler, String name, Generator.Body<T> body) {
    return new GeneratorCore<>(scheduler, name, body);
  }

  @Override
  protected <T extends @Nullable Object, X extends Exception> T within(
      Loop loop, Duration timeout, TaskCall<? extends T, X> code) throws X {
    return new ScopeCore(loop, null, false).run(timeout, code);
  }

  @Override
  protected <T extends @Nullable Object, X extends Exception> T shielded(
      Loop loop, TaskCall<? extends T, X> code) throws X {
    return ScopeCore.shield(loop).run(code);
  }
}
