package dev.rondo.examples.replicatedlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.examples.replicatedlog.Command.Put;
import dev.rondo.examples.replicatedlog.Snapshot.Session;
import dev.rondo.simulation.DiskOperation;
import dev.rondo.simulation.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is in the files, and what is left of them after a crash.
final class StorageTest {

  @TempDir Path parent;

  private Path folder() {
    return parent.resolve("replica");
  }

  private Path log() {
    return folder().resolve("log");
  }

  private static Entry entry(long index, long term) {
    return new Entry(new Position(index, term), new Put(1, index, "key", "value of " + term));
  }

  private static List<Entry> all(Log log) {
    return log.entries(log.base().index() + 1, Integer.MAX_VALUE);
  }

  private void write(Entry... entries) throws IOException {
    try (var storage = new Storage(folder())) {
      storage.append(Arrays.asList(entries));
      storage.force();
    }
  }

  private void assertLog(Entry... expected) throws IOException {
    try (var storage = new Storage(folder())) {
      assertEquals(Arrays.asList(expected), all(storage.log()));
      assertEquals(expected.length, storage.log().durable());
    }
  }

  @Test
  void open_empty() throws IOException {
    try (var storage = new Storage(folder())) {
      assertEquals(0, storage.term());
      assertEquals(Members.NONE, storage.votedFor());
      assertEquals(Position.START, storage.log().last());
      assertEquals(Snapshot.EMPTY, storage.snapshot());
    }
  }

  @Test
  void vote_isThereAgain() throws IOException {
    try (var storage = new Storage(folder())) {
      storage.vote(7, 3);
    }
    try (var storage = new Storage(folder())) {
      assertEquals(7, storage.term());
      assertEquals(3, storage.votedFor());
    }
  }

  @Test
  void append_isThereAgain_andGoesOn() throws IOException {
    write(entry(1, 1), entry(2, 1));
    write(entry(3, 2));
    assertLog(entry(1, 1), entry(2, 1), entry(3, 2));
  }

  @Test
  void tornRecord_anyLength_isCutOff() throws IOException {
    write(entry(1, 1));
    long whole = Files.size(log());
    write(entry(2, 1));
    byte[] bytes = Files.readAllBytes(log());
    for (int length = (int) whole; length < bytes.length; length++) {
      Files.write(log(), Arrays.copyOf(bytes, length));
      assertLog(entry(1, 1));
      assertEquals(whole, Files.size(log()), "after " + length);
    }
  }

  @Test
  void tornRecord_anyByte_isCutOff() throws IOException {
    write(entry(1, 1));
    int whole = (int) Files.size(log());
    write(entry(2, 1));
    byte[] bytes = Files.readAllBytes(log());
    for (int i = whole; i < bytes.length; i++) {
      byte[] torn = bytes.clone();
      torn[i] ^= 0x40;
      Files.write(log(), torn);
      assertLog(entry(1, 1));
    }
  }

  @Test
  void tornRecord_zerosInstead_isCutOff() throws IOException {
    write(entry(1, 1));
    Files.write(log(), new byte[100], StandardOpenOption.APPEND);
    assertLog(entry(1, 1));
    write(entry(2, 1));
    assertLog(entry(1, 1), entry(2, 1));
  }

  /// A record of the log as it was before a truncation is valid by itself, and has the right place.
  @Test
  void recordsOfAnEarlierLog_behindANewOne_areNotTaken() throws IOException {
    write(entry(1, 1), entry(2, 1), entry(3, 1));
    byte[] before = Files.readAllBytes(log());
    try (var storage = new Storage(folder())) {
      storage.truncate(2);
      storage.append(List.of(entry(2, 2)));
      storage.force();
    }
    byte[] after = Files.readAllBytes(log());
    byte[] mixed = before.clone();
    System.arraycopy(after, 0, mixed, 0, after.length);
    Files.write(log(), mixed);
    assertLog(entry(1, 1), entry(2, 2));
  }

  @Test
  void truncate_lowersWhatIsDurable() throws IOException {
    try (var storage = new Storage(folder())) {
      storage.append(List.of(entry(1, 1), entry(2, 1), entry(3, 1)));
      assertEquals(0, storage.log().durable());
      storage.force();
      assertEquals(3, storage.log().durable());
      storage.truncate(2);
      storage.append(List.of(entry(2, 2)));
      assertEquals(1, storage.log().durable());
      storage.force();
    }
    assertLog(entry(1, 1), entry(2, 2));
  }

  @Test
  void save_keepsSomeEntries_andTheState() throws IOException {
    var state =
        new Snapshot(
            new Position(100, 1), Map.of("a", "1", "b", "2"), Map.of(5L, new Session(9, true)));
    try (var storage = new Storage(folder())) {
      for (long i = 1; i <= 120; i++) {
        storage.append(List.of(entry(i, 1)));
      }
      storage.save(state);
    }
    try (var storage = new Storage(folder())) {
      assertEquals(state, storage.snapshot());
      assertEquals(new Position(68, 1), storage.log().base());
      assertEquals(new Position(120, 1), storage.log().last());
      assertEquals(entry(69, 1), storage.log().entry(69));
    }
  }

  @Test
  void install_otherLog_isReplaced() throws IOException {
    var state = new Snapshot(new Position(10, 3), Map.of("a", "1"), Map.of());
    write(entry(1, 1), entry(2, 1));
    try (var storage = new Storage(folder())) {
      storage.install(state);
      assertEquals(new Position(10, 3), storage.log().last());
      storage.append(List.of(entry(11, 3)));
      storage.force();
    }
    try (var storage = new Storage(folder())) {
      assertEquals(state, storage.snapshot());
      assertEquals(List.of(entry(11, 3)), all(storage.log()));
    }
  }

  /// After a failed force Linux shows what was written, and later forces do not write it: the next
  /// process must not take it for durable (seed 52 of the worlds found that).
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void forceFails_whatTheNextProcessReads_isDurableThen(long seed) throws IOException {
    var disk = new SimulatedDisk(new SplittableRandom(seed));
    Path onDisk = disk.path("/replica");
    try (var storage = new Storage(onDisk)) {
      storage.append(List.of(entry(1, 1)));
      var _ = disk.failNth(DiskOperation.FORCE, "/**", 1);
      assertThrows(UncheckedIOException.class, storage::force);
    }
    disk.processKilled();
    List<Entry> read;
    try (var storage = new Storage(onDisk)) {
      read = all(storage.log());
    }
    disk.powerLost();
    try (var storage = new Storage(onDisk)) {
      assertEquals(read, all(storage.log()));
    }
  }

  @Test
  void crashBetweenSnapshotAndLog_theSnapshotCounts() throws IOException {
    write(entry(1, 1), entry(2, 1));
    byte[] before = Files.readAllBytes(log());
    try (var storage = new Storage(folder())) {
      storage.install(new Snapshot(new Position(10, 3), Map.of(), Map.of()));
    }
    Files.write(log(), before);
    try (var storage = new Storage(folder())) {
      assertEquals(new Position(10, 3), storage.log().last());
    }
  }

  @Test
  void damagedFiles_areNamed() throws IOException {
    write(entry(1, 1));
    Files.write(folder().resolve("vote"), new byte[3]);
    var failure = assertThrows(IOException.class, () -> new Storage(folder()));
    assertEquals("the file is damaged: " + folder().resolve("vote"), failure.getMessage());
    Files.delete(folder().resolve("vote"));
    Files.write(log(), new byte[3]);
    failure = assertThrows(IOException.class, () -> new Storage(folder()));
    assertEquals("the log has no valid beginning: " + log(), failure.getMessage());
  }
}
