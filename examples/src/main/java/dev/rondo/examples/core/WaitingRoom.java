package dev.rondo.examples.core;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskQueue;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The ready queue as a waiting room, after coutil: a nurse brings patients forward, sends them
/// away and calls them back, and hands them something for their turn.
final class WaitingRoom {

  private final Scheduler scheduler;
  private final TaskQueue room;
  private final Consumer<String> log;

  private WaitingRoom(Scheduler scheduler, Consumer<String> log) {
    this.scheduler = scheduler;
    this.room = scheduler.queue();
    this.log = log;
  }

  static void main() {
    open(IO::println);
  }

  /// Lets all patients have their turns.
  static void open(Consumer<String> log) {
    try (Scheduler scheduler = Scheduler.create()) {
      new WaitingRoom(scheduler, log).fill();
      scheduler.start();
    }
  }

  private void fill() {
    Task<?> ann = patient("Ann");
    patient("Bob");
    Task<?> cy = patient("Cy");
    Task<?> dee = patient("Dee");
    Task<?> pregnant = scheduler.newTask("Eve", () -> enter("Eve"));
    Task<?> asleep = scheduler.spawn("Fay", this::sleepUntilCalled);
    room.scheduleNext(pregnant);
    room.unschedule(cy); // has left for a coffee
    room.unschedule(dee);
    room.scheduleAfter(dee, ann); // her daughter
    log.accept("Cy is in the queue: " + room.scheduled(cy));
    log.accept("in the queue: " + names(room.readyTasks()));
    scheduler.spawn(
        "nurse",
        () -> {
          scheduler.yield();
          scheduler.scheduleTask(cy, "a coffee");
          room.scheduleNext(asleep, "your turn");
        });
  }

  private Task<?> patient(String name) {
    return scheduler.spawn(name, () -> enter(name));
  }

  private void enter(String name) {
    Object brought = scheduler.received();
    log.accept(name + (brought == null ? "" : " with " + brought));
  }

  /// Waits for an event that never comes. The nurse ends the wait.
  private void sleepUntilCalled() {
    try {
      scheduler.host().awaitEvent(Waitable.never());
    } catch (ScheduledDirectlyException e) {
      log.accept("Fay hears '" + e.value() + "'");
    }
  }

  private static List<String> names(List<Task<?>> tasks) {
    var names = new ArrayList<String>();
    tasks.forEach(each -> names.add(each.name()));
    return names;
  }
}
