package dev.rondo.examples.core;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Trap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// One file from several mirrors, in groups with different policies. A trap replaces a failure by a
/// default.
final class Mirrors {

  private static final List<String> HOSTS = List.of("oslo", "down.example", "porto");

  private final Scheduler scheduler;

  private Mirrors(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  static void main() {
    compare(IO::println);
  }

  /// Asks the mirrors in three ways.
  static void compare(Consumer<String> out) {
    try (Scheduler scheduler = Scheduler.create()) {
      var mirrors = new Mirrors(scheduler);
      scheduler.spawn(() -> {
        out.accept("the fastest: " + mirrors.fastest());
        mirrors.all().forEach(out);
        out.accept("with a default: " + mirrors.withDefault());
      });
      scheduler.start();
    }
  }

  /// {@return the answer of the first mirror that has the file} The other requests are cancelled.
  private String fastest() {
    TaskGroup<String> group = scheduler.newGroup("fastest", TaskGroup.Policy.FIRST_SUCCESS);
    group.run(() -> HOSTS.forEach(host -> group.spawn(host, () -> fetch(host))));
    return group.first();
  }

  /// {@return the outcome of each mirror} The failure of one request does not end the others.
  private List<String> all() throws Exception {
    TaskGroup<String> group = scheduler.newGroup("all", TaskGroup.Policy.COLLECT);
    try {
      group.run(() -> {
        HOSTS.forEach(host -> group.spawn(host, () -> fetch(host)));
        group.spawn("lima", () -> fetch("lima")).cancel("too far away");
      });
    } catch (RuntimeException e) {
      // the outcomes have it
    }
    var told = new ArrayList<String>();
    for (Outcome<? extends String> each : group.outcomes()) {
      told.add(
          switch (each) {
            case Outcome.Success<? extends String>(String text) -> "success: " + text;
            case Outcome.Failure<? extends String>(Throwable cause) ->
                "failure: " + cause.getMessage();
            case Outcome.Cancelled<? extends String> cancelled ->
                "cancelled: " + cancelled.cause().reason();
          });
    }
    return told;
  }

  /// {@return the answer of a mirror, or the result of a trap after a failure}
  private String withDefault() {
    Task<String> task = scheduler.newTask("mirror", () -> fetch("down.example"));
    task.trap(Trap.recover(failure -> "an old copy, because " + failure.getMessage()));
    scheduler.scheduleTask(task);
    return task.join();
  }

  /// The longer the name, the farther the way.
  private String fetch(String host) throws IOException {
    for (int hop = 0; hop < host.length(); hop++) {
      scheduler.yield();
    }
    if (host.startsWith("down")) {
      throw new IOException(host + " does not answer");
    }
    return "the file from " + host;
  }
}
