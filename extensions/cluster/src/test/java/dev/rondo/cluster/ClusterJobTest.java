package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.TaskAction;
import dev.rondo.time.Recurrence;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Jobs of a cluster of one, in virtual time.
final class ClusterJobTest extends AloneRig {

  @Test
  void every_withAPeriodThatIsForEver_isNeverDue() {
    JobSchedule never = JobSchedule.every(s(Long.MAX_VALUE), TickPolicy.SKIP);
    assertEquals(Optional.empty(), never.first(Instant.EPOCH));
    assertEquals(Optional.empty(), never.next(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH));
  }

  private static Duration s(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private ClusterJob job(JobSchedule schedule, JobAction action) {
    var wall = new WallClock(scheduler, () -> Instant.EPOCH.plus(clock.elapsed()), s(3_600));
    return cluster.job("report", schedule, action, wall);
  }

  private void log(JobRun run) {
    log.add(run.number() + "@" + clock.elapsed().toSeconds() + (run.isRepeated() ? " again" : ""));
  }

  /// Runs a job for some virtual time.
  private void runFor(Duration duration, TaskAction<?> begins) {
    scheduler.spawn(
        "main",
        () -> {
          begins.run();
          time.sleep(duration);
          scheduler.stop();
        });
    scheduler.start();
  }

  @Test
  void periodic_keepsItsPhase_andSkipsMissedRuns() {
    runFor(
        s(60),
        () -> {
          var _ =
              job(
                  JobSchedule.every(s(10), TickPolicy.SKIP),
                  run -> {
                    log(run);
                    assertEquals(0, run.due().getEpochSecond() % 10);
                    time.sleep(s(run.number() == 2 ? 15 : 1));
                  });
        });
    assertEquals(List.of("1@10", "2@20", "3@40", "4@50"), log.subList(0, 4));
  }

  /// The next run was noted while the clock was wrong.
  @Test
  void periodic_whoseClockWasHoursAhead_waitsAPeriodAndASecond_whenItIsSetBack() {
    var ahead = new AtomicReference<>(Duration.ZERO);
    var wall =
        new WallClock(scheduler, () -> Instant.EPOCH.plus(clock.elapsed()).plus(ahead.get()), s(1));
    runFor(
        s(15),
        () -> {
          var _ = cluster.job("report", JobSchedule.every(s(10), TickPolicy.SKIP), this::log, wall);
        });
    ahead.set(Duration.ofHours(3));
    runFor(s(20), () -> {});
    ahead.set(Duration.ZERO);
    runFor(s(20), () -> {});
    assertEquals(List.of("1@10", "2@16", "3@20", "4@30", "5@41", "6@51"), log);
  }

  @Test
  void policies_areThoseOfATimer() {
    Instant due = Instant.ofEpochSecond(10);
    Instant late = Instant.ofEpochSecond(35);
    assertEquals(40, next(TickPolicy.SKIP, due, late));
    assertEquals(20, next(TickPolicy.BURST, due, late));
    assertEquals(45, next(TickPolicy.DELAY, due, late));
    assertEquals(45, next(TickPolicy.FIXED_DELAY, due, late));
    assertEquals(20, next(TickPolicy.SKIP, due, due));
    assertEquals(20, next(TickPolicy.DELAY, due, due));
    assertThrows(
        IllegalArgumentException.class, () -> JobSchedule.every(Duration.ZERO, TickPolicy.SKIP));
  }

  private static long next(TickPolicy policy, Instant due, Instant now) {
    return JobSchedule.every(s(10), policy).next(due, now, now).orElseThrow().getEpochSecond();
  }

  @Test
  void anActionThatFails_isReported_andTheJobGoesOn() {
    runFor(
        s(25),
        () -> {
          var _ =
              job(
                  JobSchedule.every(s(10), TickPolicy.SKIP),
                  run -> {
                    log(run);
                    throw new IllegalStateException("run " + run.number());
                  });
        });
    assertEquals(List.of("1@10", "2@20"), log);
    assertEquals(
        List.of("run 1", "run 2"), takeFailures().stream().map(Throwable::getMessage).toList());
  }

  /// docs/inside/semantics.md, rule 43.
  @Test
  void shutdown_doesNotWaitForTheNextRun() {
    scheduler.spawn(
        "main",
        () -> {
          var _ = job(JobSchedule.every(s(10), TickPolicy.SKIP), this::log);
          time.sleep(s(11));
          var _ = scheduler.shutdown(s(100), s(1));
        });
    scheduler.start();
    assertEquals(List.of("1@10"), log);
    assertEquals(s(11), clock.elapsed());
  }

  @Test
  void shutdown_duringARun_waitsForItsEnd() {
    scheduler.spawn(
        "main",
        () -> {
          var _ =
              job(
                  JobSchedule.every(s(10), TickPolicy.SKIP),
                  run -> {
                    log(run);
                    time.sleep(s(20));
                    log.add("done");
                  });
          time.sleep(s(11));
          var _ = scheduler.shutdown(s(100), s(1));
        });
    scheduler.start();
    assertEquals(List.of("1@10", "done"), log);
    assertEquals(s(30), clock.elapsed());
  }

  @Test
  void anInterruptedRun_isRepeatedByTheNextRunner() {
    interrupt(false);
    assertEquals(List.of("1@10", "1@15 again", "2@20"), log.subList(0, 3));
  }

  @Test
  void anInterruptedRun_ofAnActionThatReturnsThen_isLeftOut() {
    interrupt(true);
    assertEquals(List.of("1@10", "2@20"), log.subList(0, 2));
  }

  /// Two jobs compete; the one that runs is cancelled in the middle of its first run.
  private void interrupt(boolean atMostOnce) {
    runFor(
        s(35),
        () -> {
          JobSchedule schedule = JobSchedule.every(s(10), TickPolicy.SKIP);
          ClusterJob first =
              job(
                  schedule,
                  run -> {
                    log(run);
                    time.sleep(s(9));
                  });
          time.sleep(s(1));
          ClusterJob second =
              job(
                  schedule,
                  run -> {
                    if (!atMostOnce || !run.isRepeated()) {
                      log(run);
                    }
                  });
          time.sleep(s(14));
          assertTrue(first.isRunner());
          assertFalse(second.isRunner());
          first.cancel();
          time.sleep(s(1));
          assertFalse(first.isRunner());
          assertTrue(second.isRunner());
        });
  }

  @Test
  void cron_runsAtItsInstants() {
    runFor(
        s(7_200),
        () -> {
          var _ = job(JobSchedule.of(Recurrence.cron("30 * * * *", ZoneOffset.UTC)), this::log);
        });
    assertEquals(List.of("1@1800", "2@5400"), log);
  }

  @Test
  void aRecurrenceThatEnds_endsTheJob() {
    var _ =
        job(
            JobSchedule.of(
                instant -> Optional.of(Instant.ofEpochSecond(5)).filter(instant::isBefore)),
            this::log);
    scheduler.start();
    assertEquals(List.of("1@5"), log);
  }
}
