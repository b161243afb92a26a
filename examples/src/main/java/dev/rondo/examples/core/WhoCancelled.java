package dev.rondo.examples.core;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/// The details of a cancellation: the task that has cancelled another task or a part of it, the
/// place, the reason and the failure behind it. Also a cleanup that takes too long.
final class WhoCancelled {

  private static final Duration GRACE = Duration.ofMillis(100);

  private final Scheduler scheduler;
  private final WaitForTime time;
  private final Consumer<String> out;

  private WhoCancelled(Scheduler scheduler, Consumer<String> out) {
    this.scheduler = scheduler;
    this.time = WaitForTime.on(scheduler);
    this.out = out;
  }

  static void main() {
    try (Scheduler scheduler = Scheduler.builder().failureHandler(WhoCancelled::print).build()) {
      work(scheduler, IO::println);
    }
  }

  private static void print(String where, Throwable failure) {
    IO.println(where + ": " + failure.getMessage());
  }

  /// Cancels a part of a task, and then another task.
  static void work(Scheduler scheduler, Consumer<String> out) {
    var program = new WhoCancelled(scheduler, out);
    scheduler.spawn("watch", program::watch);
    scheduler.start();
  }

  private void watch() {
    CancelScope preview = scheduler.newScope("preview");
    Task<?> disk = scheduler.spawn("disk", () -> preview.cancel("no space", full()));
    try {
      preview.run(this::draw);
    } catch (CancellationException e) {
      out.accept("the preview is left out");
    }
    disk.join();
    Task<?> upload = scheduler.spawn("upload", this::upload);
    scheduler.yield();
    upload.cancel("the window was closed", GRACE);
  }

  private static IllegalStateException full() {
    return new IllegalStateException("the disk is full");
  }

  private void draw() {
    try {
      time.sleep(Duration.ofDays(1));
    } catch (TaskCancelled cancelled) {
      Throwable failure = Objects.requireNonNull(cancelled.trigger());
      out.accept(
          "%s cancelled it in %s, because '%s': %s"
              .formatted(
                  cancelled.canceller(),
                  Objects.requireNonNull(cancelled.site()).getFileName(),
                  cancelled.reason(),
                  failure.getMessage()));
      throw cancelled;
    }
  }

  /// Cleans up for longer than the grace. The failure handler receives a report of that.
  private void upload() {
    try {
      time.sleep(Duration.ofDays(1));
    } finally {
      scheduler.shielded(() -> time.sleep(GRACE.multipliedBy(2)));
      out.accept("the upload has ended");
    }
  }
}
