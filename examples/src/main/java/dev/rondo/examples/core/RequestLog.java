package dev.rondo.examples.core;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskLocal;
import java.util.function.Consumer;

/// Task locals: each log line has the user and the number of its request, although no method passes
/// them on. The tasks that a request starts inherit both.
final class RequestLog {

  private static final TaskLocal<String> USER = TaskLocal.named("user");
  private static final TaskLocal<Integer> REQUEST = TaskLocal.named("request");

  private final Scheduler scheduler;
  private final Consumer<String> out;

  private RequestLog(Scheduler scheduler, Consumer<String> out) {
    this.scheduler = scheduler;
    this.out = out;
  }

  static void main() {
    serve(IO::println);
  }

  /// Serves some requests.
  static void serve(Consumer<String> out) {
    try (Scheduler scheduler = Scheduler.create()) {
      var log = new RequestLog(scheduler, out);
      scheduler.spawn(() -> TaskLocal.where(USER, "ada").where(REQUEST, 1).run(log::answer));
      scheduler.spawn(() -> TaskLocal.where(REQUEST, 2).run(log::answer));
      scheduler.spawn(() -> log.say("is idle"));
      scheduler.start();
    }
  }

  private void answer() {
    say("begins");
    scheduler.spawn(() -> say("writes to the audit log"));
    scheduler.yield();
    TaskLocal.where(USER, "root").run(() -> say("reads the account"));
    say("ends");
  }

  private void say(String what) {
    String who = REQUEST.isBound() ? "request " + REQUEST.get() : "the server";
    out.accept(who + " of " + USER.getOrDefault("nobody") + " " + what);
  }
}
