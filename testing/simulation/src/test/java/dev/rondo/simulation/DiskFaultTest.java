package dev.rondo.simulation;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Disks that fail or are full.
final class DiskFaultTest {

  private static final String BROKEN = "Input/output error";
  private static final String FULL = "No space left on device";
  private static final int BLOCK = 4096;

  private SimulatedDisk disk = disk(1);

  private static SimulatedDisk disk(int seed) {
    return new SimulatedDisk(new SplittableRandom(seed));
  }

  @AfterEach
  void nothingStaysOpen() {
    disk.processKilled();
    assertEquals(0, disk.openFiles());
  }

  private static void fails(String message, Executable code) {
    assertEquals(message, assertThrows(IOException.class, code).getMessage());
  }

  private FileChannel open(String name) throws IOException {
    return FileChannel.open(disk.path(name), READ, WRITE, CREATE);
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count);
  }

  // Failures of the medium.

  @Test
  void failNth_write_failsThatOneAlone() throws IOException {
    disk.failNth(DiskOperation.WRITE, "/*.log", 2);
    FileChannel log = open("/a.log");
    FileChannel other = open("/a.txt");

    log.write(bytes(1));
    other.write(bytes(1));
    other.write(bytes(1));
    fails(BROKEN, () -> log.write(bytes(1)));

    assertEquals(1, log.size());
    assertEquals(1, log.position());
    assertEquals(1, log.write(bytes(1)));
  }

  @Test
  void failures_certain_failEachUntilThereAreNone() throws IOException {
    disk.failures(DiskOperation.READ, "/**", 1);
    FileChannel file = open("/file");
    file.write(bytes(1));

    fails(BROKEN, () -> file.read(bytes(1), 0));
    fails(BROKEN, () -> Files.readAllBytes(disk.path("/file")));
    disk.noFailures();

    assertEquals(1, file.read(bytes(1), 0));
  }

  @Test
  void failures_byChance_failSome() throws IOException {
    disk.failures(DiskOperation.WRITE, "/file", 0.5);
    FileChannel file = open("/file");
    int failed = 0;
    for (int i = 0; i < 100; i++) {
      try {
        file.write(bytes(1));
      } catch (IOException e) {
        failed++;
      }
    }
    assertTrue(failed > 20 && failed < 80, "failed=" + failed);
    assertEquals(100 - failed, file.size());
  }

  @Test
  void failures_ofSyncedWrites_failTheWrite() throws IOException {
    disk.failNth(DiskOperation.FORCE, "/file", 1);
    FileChannel file = FileChannel.open(disk.path("/file"), WRITE, CREATE, SYNC);
    fails(BROKEN, () -> file.write(bytes(1)));
  }

  @Test
  void failures_ofDirectories_failTheirForce() throws IOException {
    disk.failNth(DiskOperation.FORCE, "/", 1);
    try (FileChannel root = FileChannel.open(disk.path("/"), READ)) {
      fails(BROKEN, () -> root.force(true));
      root.force(true);
    }
  }

  /// Linux reports a failure to write back once to each opening of the file.
  @Test
  void failedForce_isReportedOnceToEachOpening() throws IOException {
    FileChannel one = open("/file");
    FileChannel two = open("/file");
    one.write(bytes(1));
    disk.failNth(DiskOperation.FORCE, "/file", 1);

    fails(BROKEN, () -> one.force(true));
    one.force(true);
    fails(BROKEN, () -> two.force(true));
    two.force(true);
    open("/file").force(true);
  }

  /// The mistake of "fsyncgate": the second force succeeds, and the data is lost all the same.
  @Test
  void failedForce_thenForced_mayHaveLostWhatIsReadable() throws IOException {
    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      disk = disk(seed);
      Path path = Files.writeString(disk.path("/file"), "");
      try (FileChannel root = FileChannel.open(disk.path("/"), READ)) {
        root.force(true);
      }
      FileChannel file = FileChannel.open(path, WRITE);
      disk.failNth(DiskOperation.FORCE, "/file", 1);
      file.write(ByteBuffer.wrap(new byte[] {'a', 'b'}));
      fails(BROKEN, () -> file.force(true));
      file.force(true);
      assertEquals("ab", Files.readString(path));

      disk.powerLost();

      seen.add(Files.readString(path));
    }
    assertTrue(seen.containsAll(List.of("", "ab")), seen::toString);
  }

  @Test
  void failedForce_ofATruncation_leavesNoLongerFile() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      disk = disk(seed);
      FileChannel file = open("/file");
      file.write(bytes(BLOCK));
      disk.sync();
      file.truncate(1);
      disk.failNth(DiskOperation.FORCE, "/file", 1);
      fails(BROKEN, () -> file.force(true));
      file.force(true);

      disk.powerLost();

      assertEquals(1, Files.size(disk.path("/file")));
    }
  }

  // No room.

  @Test
  void capacity_exhausted_writesWhatFitsThenFails() throws IOException {
    disk.capacity(2 * BLOCK);
    FileChannel file = open("/file");

    assertEquals(2 * BLOCK, file.write(bytes(3 * BLOCK)));
    fails(FULL, () -> file.write(bytes(1)));

    assertEquals(2 * BLOCK, file.size());
    file.write(bytes(BLOCK), 0);
    assertEquals(0, Files.getFileStore(disk.path("/")).getUsableSpace());
    open("/empty").close();
    fails(FULL, () -> Files.write(disk.path("/empty"), new byte[1], APPEND));
  }

  @Test
  void capacity_afterDeleting_isFree() throws IOException {
    disk.capacity(BLOCK);
    Files.write(disk.path("/a"), new byte[BLOCK]);
    fails(FULL, () -> Files.write(disk.path("/b"), new byte[1]));

    Files.delete(disk.path("/a"));

    Files.write(disk.path("/b"), new byte[1]);
    disk.capacity(2 * BLOCK);
    Files.write(disk.path("/c"), new byte[1]);
  }

  @Test
  void copy_onABrokenOrFullDisk_fails() throws IOException {
    Path file = Files.write(disk.path("/a"), new byte[BLOCK]);
    disk.failNth(DiskOperation.READ, "/a", 1);
    assertThrows(FileSystemException.class, () -> Files.copy(file, disk.path("/b")));
    disk.capacity(BLOCK);
    assertThrows(FileSystemException.class, () -> Files.copy(file, disk.path("/b")));
    assertTrue(Files.notExists(disk.path("/b")));
    disk.capacity(2 * BLOCK);
    Files.copy(file, disk.path("/b"));
  }

  // Times.

  @Test
  void time_isThatOfTheSource() throws IOException {
    Instant time = Instant.parse("2001-02-03T04:05:06Z");
    disk.time(InstantSource.fixed(time));
    assertEquals(time, Files.getLastModifiedTime(Files.createFile(disk.path("/file"))).toInstant());
  }

  // Bad input.

  @Test
  void badInput_isRefused() {
    for (Executable bad :
        List.<Executable>of(
            () -> disk.failures(DiskOperation.READ, "/**", 1.5),
            () -> disk.failures(DiskOperation.READ, "/**", Double.NaN),
            () -> disk.failNth(DiskOperation.READ, "/**", 0),
            () -> disk.capacity(-1),
            () -> disk.latency(Duration.ofNanos(-1), Duration.ZERO),
            () -> disk.latency(Duration.ofSeconds(2), Duration.ofSeconds(1)))) {
      assertThrows(IllegalArgumentException.class, bad);
    }
    assertThrows(NullPointerException.class, () -> new SimulatedDisk((RandomGenerator) null));
  }

  @Test
  void notSimulated_isRefusedClearly() throws IOException {
    FileChannel file = open("/file");
    assertThrows(
        UnsupportedOperationException.class, () -> file.map(FileChannel.MapMode.READ_WRITE, 0, 1));
    assertThrows(UnsupportedOperationException.class, () -> disk.fileSystem().newWatchService());
  }
}
