package dev.rondo.scheduler.engine;

import java.util.function.Consumer;

/// The door to the room `engine.lazy`, for the commands of `execute`. See [Rooms].
public abstract class Commands {

  /// For the room.
  protected Commands() {}

  /// {@return what puts the commands of a loop to the back of its ready queue, as tasks that are
  /// made only if that is needed}
  static Consumer<Runnable> lazilyOn(Loop loop) {
    return Rooms.behind(Commands.class).on(loop);
  }

  /// See [#lazilyOn].
  protected abstract Consumer<Runnable> on(Loop loop);
}
