package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.simulation.internal.net.Timeline;
import dev.rondo.simulation.internal.world.WorldChecks;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the hosts of a world until a condition or a time, and fails for what has gone wrong
/// meanwhile.
///
/// Confined to the world's thread, outside of tasks.
final class WorldRun {

  private final String origin;
  private final WorldDriver driver;
  private final WorldChecks checks;
  private final WorldFailures failures;
  private final OutsideWatch outside;
  private final Supplier<String> tasks;

  /// Without a line break at the end, but with one at the beginning.
  private final Set<Supplier<String>> explanations = new LinkedHashSet<>();

  /// Null if failures do not have what was recorded.
  private @Nullable WorldRecorder story;

  /// @param origin where the choices come from, in messages
  /// @param tasks what all tasks are doing, but for add-ons that nothing waits for
  WorldRun(
      String origin,
      WorldDriver driver,
      WorldChecks checks,
      WorldFailures failures,
      OutsideWatch outside,
      Supplier<String> tasks) {
    this.origin = origin;
    this.driver = driver;
    this.checks = checks;
    this.failures = failures;
    this.outside = outside;
    this.tasks = tasks;
  }

  /// See [World#runFor].
  void runFor(Duration duration) {
    long deadline = deadline(duration, "duration");
    boolean _ = run(() -> false, deadline);
    driver.time().moveTo(deadline);
    look();
  }

  /// See [World#runUntil].
  void runUntil(BooleanSupplier condition, Duration limit) {
    long deadline = deadline(limit, "limit");
    if (run(condition, deadline)) {
      return;
    }
    if (driver.hasNothingToCome()) {
      throw withStory(
          new SimulationStalledException(
              "%s: the condition does not hold at %s, and nothing can happen any more%s"
                  .formatted(
                      origin,
                      now(),
                      state("the condition does not hold, and nothing can happen any more"))));
    }
    driver.time().moveTo(deadline);
    look();
    if (condition.getAsBoolean()) {
      return;
    }
    throw withStory(
        new SimulationFailedError(
            "%s: the condition does not hold within %s, until %s%s"
                .formatted(
                    origin,
                    ReportText.duration(limit),
                    now(),
                    state("the condition does not hold in time"))));
  }

  private long deadline(Duration duration, String name) {
    if (requireNonNull(duration, () -> name + " is null").isNegative()) {
      throw new IllegalArgumentException(
          "%s must be at least zero: %s=%s".formatted(name, name, ReportText.duration(duration)));
    }
    long now = driver.time().nanos();
    boolean tooLong = duration.compareTo(Duration.ofNanos(Timeline.NEVER - 1 - now)) > 0;
    return tooLong ? Timeline.NEVER - 1 : now + duration.toNanos();
  }

  /// @return whether the condition holds; if not, nothing happens before the deadline
  private boolean run(BooleanSupplier condition, long deadline) {
    outside.begin();
    driver.network().running(true);
    try {
      while (!condition.getAsBoolean()) {
        requireNoFailure();
        if (driver.turn() == null && !driver.advance(deadline)) {
          return false;
        }
        look();
        driver.countStep();
      }
      requireNoFailure();
      return true;
    } finally {
      driver.network().running(false);
      outside.end();
      driver.enterContext(null);
    }
  }

  private void look() {
    String broken = checks.look(driver.isSettled());
    if (broken != null) {
      throw withStory(
          new SimulationFailedError(
              "%s: at %s %s%s".formatted(origin, now(), broken, state(broken))));
    }
  }

  /// @throws SimulationFailedError if there are failures that were not observed
  void requireNoFailure() {
    if (!failures.isEmpty()) {
      if (story != null) {
        failures.record(story);
      }
      throw withStory(failures.take(origin, faultsAndTasks()));
    }
  }

  private String now() {
    return ReportText.duration(Duration.ofNanos(driver.time().nanos()));
  }

  /// For the message of a failure, behind its first line: the last faults, and then what the tasks
  /// are doing, but for those of add-ons that nothing waits for.
  ///
  /// @param what has failed
  private String state(String what) {
    if (story != null) {
      story.failure(what, null);
    }
    return faultsAndTasks();
  }

  private String faultsAndTasks() {
    var more = new StringBuilder();
    explanations.forEach(each -> more.append(each.get()));
    return driver.trace().faults()
        + more
        + "\nwhat the tasks are doing:\n"
        + tasks.get().stripTrailing();
  }

  /// See [World#report].
  String report() {
    return "%s: at %s%s".formatted(origin, now(), faultsAndTasks());
  }

  /// What a check of a history says, with where the choices come from, and with the faults between
  /// two instants.
  String report(String finding, Duration from, Duration to) {
    return "%s: %s%s".formatted(origin, finding, driver.trace().faults(from, to));
  }

  // The way to a failure.

  /// Messages have these lines, too, once.
  void explain(Supplier<String> lines) {
    explanations.add(lines);
  }

  /// Adds the recording to failures from now on.
  void told(WorldRecorder recorder) {
    story = recorder;
  }

  boolean isTold() {
    return story != null;
  }

  private <E extends Throwable> E withStory(E failure) {
    if (story != null) {
      failure.addSuppressed(RecordingPicture.note(story.recording(), "world " + origin));
    }
    return failure;
  }
}
