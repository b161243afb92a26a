package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A cluster of one, in virtual time.
abstract class AloneRig extends BackendTest {

  final VirtualClock clock = new VirtualClock();
  final List<String> log = new ArrayList<>();
  Scheduler scheduler;
  WaitForTime time;
  WaitForCluster cluster;

  @BeforeEach
  void make() {
    scheduler = clock.scheduler(builder());
    time = WaitForTime.on(scheduler);
    cluster = WaitForCluster.on(scheduler);
  }

  @AfterEach
  void nothingIsLeft() {
    scheduler.close();
    assertEquals(List.of(), takeFailures());
  }
}
