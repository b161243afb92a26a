package dev.rondo.application.words;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Promise;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The surroundings of one wait.
final class World {

  /// A connection, both ends.
  record Pair(TcpSocket client, TcpSocket server) {}

  private final Application app;
  private final Deque<TaskAction<?>> cleaning = new ArrayDeque<>();

  World(Application app) {
    this.app = app;
  }

  Application app() {
    return app;
  }

  Scheduler scheduler() {
    return app.scheduler();
  }

  /// Adds an action for the end.
  void atEnd(TaskAction<?> action) {
    cleaning.push(action);
  }

  <C extends AutoCloseable> C own(C thing) {
    atEnd(thing::close);
    return thing;
  }

  /// A task that never ends by itself.
  Task<@Nullable Object> endless() {
    Task<@Nullable Object> task = app.spawn("endless", () -> scheduler().suspend());
    atEnd(() -> task.cancel("over"));
    app.yield();
    return task;
  }

  Promise<String> promise() {
    return new Promise<>(app.scheduler(), "promise");
  }

  Pair pair() throws Exception {
    try (var listener = app.listen(0)) {
      TcpSocket client = own(app.connect("127.0.0.1", listener.port()));
      return new Pair(client, own(listener.accept()));
    }
  }

  void cleanUp() throws Exception {
    while (!cleaning.isEmpty()) {
      cleaning.pop().run();
    }
  }
}
