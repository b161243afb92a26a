package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.engine.Commands;
import dev.rondo.scheduler.engine.Loop;
import java.util.function.Consumer;

/// What the kernel asks of this room.
public final class LazyRoom extends Commands {

  /// For the kernel, see [dev.rondo.scheduler.engine.Rooms].
  public LazyRoom() {}

  @Override
  protected Consumer<Runnable> on(Loop loop) {
    return new LazyCommands(loop);
  }
}
