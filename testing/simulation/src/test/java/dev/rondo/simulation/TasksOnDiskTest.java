package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.file.DirectoryListing;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `WaitForFile`, unchanged, on a simulated disk and under virtual time.
@EveryBackend
final class TasksOnDiskTest extends BackendTest {

  private static final Duration MILLI = Duration.ofMillis(1);

  private VirtualClock clock;
  private SimulatedDisk disk;
  private Scheduler scheduler;
  private WaitForFile files;

  @BeforeEach
  void open() {
    clock = new VirtualClock();
    disk = new SimulatedDisk(new SplittableRandom(1));
    scheduler = clock.scheduler(builder());
    files = WaitForFile.on(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
    assertEquals(0, disk.openFiles(), "open files");
    assertEquals(List.of(), takeFailures());
  }

  /// Runs a task and all that it starts.
  private void run(Callable<?> main) {
    runOn(scheduler, main);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void openFile_writesReadsAndSyncs() {
    run(() -> {
      Path path = disk.path("/data/log");
      files.createDirectories(path.getParent());
      try (OpenFile file =
          files.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        file.write(bytes("hello"));
        file.sync();
        var read = ByteBuffer.allocate(5);
        file.read(read, 0);
        assertEquals(bytes("hello"), read.flip());
        file.truncate(1);
        assertEquals(1, file.size());
      }
      files.move(path, disk.path("/data/old"));
      try (DirectoryListing listing = files.list(disk.path("/data"))) {
        assertEquals(disk.path("/data/old"), listing.next());
      }
      assertEquals("h", new String(files.readAll(disk.path("/data/old")), StandardCharsets.UTF_8));
      return null;
    });

    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void operation_onASlowDisk_takesVirtualTimeAndLetsOthersRun() {
    disk.latency(MILLI, MILLI);
    var order = new ArrayList<String>();
    run(() -> {
      Task<?> other =
          scheduler.spawn(
              "other",
              () -> {
                order.add("other at " + clock.elapsed().toMillis());
              });
      files.writeAll(disk.path("/file"), new byte[1]);
      order.add("written at " + clock.elapsed().toMillis());
      other.join();
      return null;
    });

    assertEquals(List.of("other at 0", "written at 1"), order);
  }

  @Test
  void operation_withoutLatency_isASuspensionPoint() {
    var order = new ArrayList<String>();
    run(() -> {
      scheduler.spawn("other", () -> order.add("other"));
      files.attributes(disk.path("/"));
      return order.add("main");
    });

    assertEquals(List.of("other", "main"), order);
  }

  @Test
  void operation_ofACancelledTask_isNotMade() {
    run(() -> {
      Task<?> task = scheduler.spawn("task", () -> files.writeAll(disk.path("/file"), new byte[1]));
      task.cancel("test");
      assertThrows(CancellationException.class, task::join);
      return null;
    });

    assertTrue(Files.notExists(disk.path("/file")));
  }

  @Test
  void operation_cancelledMeanwhile_isMade() {
    disk.latency(MILLI, MILLI);
    run(() -> {
      Task<?> task =
          scheduler.spawn(
              "task",
              () -> {
                files.writeAll(disk.path("/file"), new byte[1]);
                scheduler.checkpoint();
              });
      scheduler.yield();
      task.cancel("test");
      assertThrows(CancellationException.class, task::join);
      return null;
    });

    assertTrue(Files.exists(disk.path("/file")));
    assertEquals(MILLI, clock.elapsed());
  }

  @Test
  void failure_ofTheMedium_namesOperationAndFile() {
    disk.failNth(DiskOperation.WRITE, "/*.log", 1);
    run(() -> {
      IOException failure =
          assertThrows(IOException.class, () -> files.writeAll(disk.path("/a.log"), new byte[1]));
      assertTrue(failure.getMessage().contains("/a.log"), failure::getMessage);
      assertTrue(failure.getMessage().contains("Input/output error"), failure::getMessage);
      files.writeAll(disk.path("/a.log"), new byte[1]);
      return null;
    });
  }

  @Test
  void processKilled_openFile_failsAsClosed() {
    run(() -> {
      OpenFile file =
          files.open(disk.path("/file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      disk.processKilled();
      assertThrows(ChannelClosedException.class, () -> file.write(bytes("x")));
      file.close();
      return null;
    });
  }

  @Test
  void sameSeed_tasksOnASlowDisk_haveTheSameTrace() {
    assertEquals(trace(1), trace(1));
    assertTrue(!trace(1).equals(trace(2)), "chance decides");
  }

  /// {@return the order of many tasks' operations, and when they ended}
  private List<String> trace(int seed) {
    var trace = new ArrayList<String>();
    var ownClock = new VirtualClock();
    var ownDisk =
        new SimulatedDisk(new SplittableRandom(seed)).latency(MILLI, Duration.ofMillis(20));
    try (Scheduler own = ownClock.scheduler(builder())) {
      WaitForFile ownFiles = WaitForFile.on(own);
      for (int i = 0; i < 10; i++) {
        Path path = ownDisk.path("/" + i);
        own.spawn(
            "task",
            () -> {
              for (int n = 0; n < 5; n++) {
                ownFiles.writeAll(path, new byte[n]);
                trace.add(path + " " + n + " at " + ownClock.elapsed().toNanos());
              }
            });
      }
      own.start();
    }
    assertEquals(50, trace.size());
    return trace;
  }
}
