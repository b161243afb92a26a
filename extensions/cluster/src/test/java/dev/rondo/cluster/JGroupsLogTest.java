package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.util.ExtendedUUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What the log keeps, and what it does if it cannot.
final class JGroupsLogTest {

  @TempDir Path folder;
  private final List<Throwable> failures = new ArrayList<>();
  private JGroupsLog log;

  @BeforeEach
  void open() throws Exception {
    log = new JGroupsLog(folder, failures::add);
    log.open();
  }

  @AfterEach
  void close() {
    log.close();
  }

  private static LogEntries entries(long term, String... texts) {
    var entries = new LogEntries();
    for (String each : texts) {
      entries.add(new LogEntry(term, each.getBytes(StandardCharsets.UTF_8)));
    }
    return entries;
  }

  @Test
  void entriesOfAnEarlierTerm_doNotSetTheTermBack() throws Exception {
    var _ = log.currentTerm(5);
    assertEquals(2, log.append(1, entries(2, "one", "two")));
    assertEquals(5, log.currentTerm());
    log.deleteAllEntriesStartingFrom(2);
    assertEquals(5, log.currentTerm());
    log.setSnapshot(ByteBuffer.allocate(1));
    log.reinitializeTo(7, new LogEntry(3, null));
    assertEquals(5, log.currentTerm());
    log.close();
    open();
    assertEquals(5, log.currentTerm());
    assertEquals(7, log.lastAppended());
    assertEquals(8, log.append(8, entries(5, "eight")));
    log.close();
    open();
    assertEquals(8, log.lastAppended());
    assertEquals(3, log.get(7).term());
  }

  @Test
  void aCompactedLog_isReadAgain() throws Exception {
    var _ = log.append(1, entries(1, "one", "two", "three", "four"));
    var _ = log.commitIndex(3);
    log.setSnapshot(ByteBuffer.allocate(1));
    log.truncate(3);
    assertEquals(5, log.append(5, entries(2, "five")));
    log.close();
    open();
    assertEquals(
        List.of(3L, 5L, 3L), List.of(log.firstAppended(), log.lastAppended(), log.commitIndex()));
    assertEquals(2, log.get(5).term());
  }

  /// Writes zeros over a part of the entries.
  private void damage(long from, int bytes) throws Exception {
    damage("entries.raft", from, bytes);
  }

  private void damage(String file, long from, int bytes) throws Exception {
    try (var channel = FileChannel.open(folder.resolve(file), StandardOpenOption.WRITE)) {
      assertEquals(bytes, channel.write(ByteBuffer.allocate(bytes), from));
    }
  }

  /// The place of the end of a text in the file, once.
  private long end(String text) throws Exception {
    String all = Files.readString(folder.resolve("entries.raft"), StandardCharsets.ISO_8859_1);
    assertEquals(all.indexOf(text), all.lastIndexOf(text));
    return (long) all.indexOf(text) + text.length();
  }

  /// As on a full disk, or after `kill -9`: the file is made longer before the entry is written.
  @Test
  void anEntryThatWasNotWrittenToTheEnd_isDropped() throws Exception {
    assertEquals(3, log.append(1, entries(1, "one", "two", "three")));
    log.close();
    damage(end("three") - 1, 5);
    open();
    assertEquals(2, log.lastAppended());
    assertEquals("two", text(log.get(2)));
    assertEquals(4, log.append(3, entries(2, "drei", "vier")));
    log.close();
    open();
    assertEquals(List.of("one", "two", "drei", "vier"), texts());
    log.close();
    damage(end("drei") - 1, 1_000); // a batch
    open();
    assertEquals(List.of("one", "two"), texts());
  }

  private static String text(LogEntry entry) {
    return new String(entry.command(), entry.offset(), entry.length(), StandardCharsets.UTF_8);
  }

  private List<String> texts() {
    var texts = new ArrayList<String>();
    log.forEach((entry, index) -> texts.add(text(entry)));
    return texts;
  }

  @Test
  void anEntryThatMayHaveBeenConfirmed_isNotDropped() throws Exception {
    assertEquals(2, log.append(1, entries(1, "one", "two")));
    assertEquals(3, log.append(3, entries(1, "three")));
    log.close();
    damage(end("two") - 1, 1);
    ClusterException refused = assertThrows(ClusterException.class, this::open);
    assertTrue(refused.getMessage().contains("it has entries 1 to 1,"), refused::getMessage);
  }

  @Test
  void anEntryThatIsAgreedOn_isNotDropped() throws Exception {
    assertEquals(2, log.append(1, entries(1, "one", "two")));
    var _ = log.commitIndex(2);
    log.close();
    damage(end("two") - 1, 1);
    assertThrows(ClusterException.class, this::open);
    log.close();
    damage(end("one"), 30); // the header of the next one, too
    assertThrows(ClusterException.class, this::open);
  }

  /// The file system has lost what it had written.
  @Test
  void anEntryThatIsDamagedLater_isNotRead() throws Exception {
    assertEquals(2, log.append(1, entries(1, "one", "two")));
    damage(end("one") - 1, 1);
    Exception read = assertThrows(IllegalStateException.class, () -> log.get(1));
    assertTrue(read.getMessage().contains("entry 1 is damaged"), read::getMessage);
    assertThrows(IllegalStateException.class, () -> log.get(2));
    assertEquals(1, failures.size());
  }

  private void assertRefused(String why) {
    ClusterException refused = assertThrows(ClusterException.class, this::open);
    assertTrue(refused.getMessage().contains(why), refused::getMessage);
  }

  /// Where jgroups-raft sees the end of the log.
  @Test
  void anEntryThatMayHaveBeenConfirmed_isNotDropped_ifItsHeaderIsDamaged() throws Exception {
    assertEquals(2, log.append(1, entries(1, "one", "two")));
    assertEquals(3, log.append(3, entries(1, "three")));
    log.close();
    damage("entries.raft", end("one") + 4, 1);
    assertRefused("it has entries 1 to 1, and then none that is whole");
  }

  @Test
  void aLogThatHasLostAllItHad_isRefused() throws Exception {
    assertEquals(2, log.append(1, entries(1, "one", "two")));
    var _ = log.commitIndex(2);
    log.close();
    damage("entries.raft", 0, 1);
    assertRefused("it has entries 0 to 0");
    Files.delete(folder.resolve("entries.raft"));
    assertRefused("those up to 2 are agreed on");
  }

  /// A crash of the machine may lose what was not forced to the disk.
  @Test
  void whatComesBeforeASnapshot_isAgreedOn() throws Exception {
    byte[] none = Files.readAllBytes(folder.resolve("agreed.raft"));
    var _ = log.append(1, entries(1, "one", "two", "three", "four"));
    var _ = log.commitIndex(3);
    log.setSnapshot(ByteBuffer.allocate(1));
    log.truncate(3);
    log.close();
    Files.write(folder.resolve("agreed.raft"), none);
    open();
    assertEquals(3, log.commitIndex());
    log.close();
    Files.delete(folder.resolve("state_snapshot.raft"));
    assertRefused("it begins with entry 3, and has no snapshot");
  }

  /// A node that has forgotten its term has forgotten that it voted in it.
  @Test
  void aTermThatWasForgotten_isRefused() throws Exception {
    byte[] before = Files.readAllBytes(folder.resolve("metadata.raft"));
    var _ = log.currentTerm(4);
    assertEquals(1, log.append(1, entries(4, "one")));
    log.close();
    Files.write(folder.resolve("metadata.raft"), before);
    assertRefused("its term is 0, but it has an entry of term 4");
  }

  @Test
  void aSnapshotThatIsDamaged_isRefused() throws Exception {
    log.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    damage("state_snapshot.raft", 2, 1);
    Exception read = assertThrows(IllegalStateException.class, () -> log.getSnapshot());
    assertTrue(read.getMessage().contains("the snapshot is damaged"), read::getMessage);
    log.close();
    assertRefused("state_snapshot.raft (its snapshot) is not whole");
  }

  private static String[] numbered(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj("n%04d"::formatted).toArray(String[]::new);
  }

  private static final int PAGE_BYTES = 4096;

  /// The machine stops while several entries are written. The disk writes pages in any order.
  @Test
  void aWriteOfWhichAnyPagesAreOnTheDisk_isDroppedFromItsFirstGapOn() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    Path file = folder.resolve("entries.raft");
    int before = (int) Files.size(file);
    String[] texts =
        IntStream.rangeClosed(2, 9).mapToObj(i -> ("" + i).repeat(2_000)).toArray(String[]::new);
    assertEquals(9, log.append(2, entries(1, texts)));
    log.close();
    byte[] whole = Files.readAllBytes(file);
    int pages = whole.length / PAGE_BYTES + 1;
    for (int written = 0; written < 1 << pages; written++) {
      byte[] left = whole.clone();
      for (int page = 0; page < pages; page++) {
        if ((written >> page & 1) == 0) {
          int first = Math.max(before, page * PAGE_BYTES);
          Arrays.fill(left, first, Math.min(whole.length, (page + 1) * PAGE_BYTES), (byte) 0);
        }
      }
      var _ = Files.write(file, left);
      open();
      assertEquals(Arrays.equals(whole, left), log.lastAppended() == 9);
      assertTrue(log.lastAppended() >= 1);
      assertEquals(log.lastAppended() + 1, log.append(log.lastAppended() + 1, entries(1, "next")));
      log.close();
    }
  }

  /// As of a copy that a full disk or `kill -9` has ended.
  @Test
  void whatACopyHasLeft_doesNotComeBack() throws Exception {
    assertEquals(300, log.append(1, entries(1, numbered(1, 300))));
    var _ = Files.copy(folder.resolve("entries.raft"), folder.resolve("entries.raft.tmp"));
    var _ = log.commitIndex(290);
    log.setSnapshot(ByteBuffer.allocate(1));
    log.truncate(290);
    assertEquals(500, log.append(301, entries(1, numbered(301, 500))));
    log.close();
    open();
    assertEquals(List.of(numbered(290, 500)), texts());
  }

  @Test
  void oldEntriesThatCannotBeRemoved_stay() throws Exception {
    assertEquals(3, log.append(1, entries(1, "one", "two", "three")));
    var _ = log.commitIndex(2);
    Files.createDirectory(folder.resolve("entries.raft.new"));
    assertThrows(IllegalStateException.class, () -> log.truncate(2));
    assertThrows(IllegalStateException.class, () -> log.get(2));
    assertEquals(1, failures.size());
    log.close();
    open();
    assertEquals(List.of("one", "two", "three"), texts());
  }

  /// A node that leads votes on another thread than it writes on.
  @Test
  void aVoter_readsWhileEntriesAreWritten() throws Exception {
    var _ = log.append(1, entries(1, "one"));
    var stop = new AtomicBoolean();
    var reader =
        new FutureTask<Long>(() -> {
          long reads = 0;
          while (!stop.get()) {
            assertEquals(1, log.get(log.lastAppended()).term());
            reads++;
          }
          return reads;
        });
    Thread thread = Thread.ofPlatform().start(reader);
    try {
      for (int i = 2; i <= 100; i++) {
        assertEquals(i, log.append(i, entries(1, numbered(i, i))));
      }
    } finally {
      stop.set(true);
      thread.join();
    }
    assertTrue(reader.get() > 0);
    assertEquals(100, texts().size());
  }

  @Test
  void anEntryThatStandsForASnapshot_isReadAgain() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    log.setSnapshot(ByteBuffer.allocate(1));
    log.reinitializeTo(7, new LogEntry(3, null));
    assertEquals(8, log.append(8, entries(3, "eight")));
    log.close();
    open();
    assertEquals(List.of("", "eight"), texts());
  }

  @Test
  void aFailureToWrite_isReportedOnce_andTheLogRefusesEverything() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    log.close(); // as good as a disk that fails
    assertThrows(IllegalStateException.class, () -> log.append(2, entries(1, "two")));
    assertThrows(IllegalStateException.class, () -> log.append(2, entries(1, "two")));
    assertThrows(IllegalStateException.class, () -> log.get(1));
    assertThrows(IllegalStateException.class, () -> log.currentTerm(9));
    assertEquals(1, failures.size());
  }

  /// As of a thread that still writes.
  @Test
  void aFailureOfANodeThatLeaves_isNotReported() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    log.leaving();
    log.close();
    assertThrows(IllegalStateException.class, () -> log.append(2, entries(1, "two")));
    assertThrows(IllegalStateException.class, () -> log.get(1));
    assertEquals(List.of(), failures);
    open();
    assertEquals(1, log.lastAppended());
  }

  @Test
  void entriesThatWouldLeaveAGap_areRefused() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    assertThrows(IllegalStateException.class, () -> log.append(3, entries(1, "three")));
    assertEquals(1, failures.size());
  }

  @Test
  void aSnapshot_takesThePlaceOfTheOneBefore() throws Exception {
    log.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    log.setSnapshot(ByteBuffer.wrap(new byte[] {7, 8}));
    assertArrayEquals(new byte[] {7, 8}, log.getSnapshot().array());
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of("agreed.raft", "entries.raft", "lock", "metadata.raft", "state_snapshot.raft"),
          files.map(each -> each.getFileName().toString()).sorted().toList());
    }
  }

  private void agreeOn(long index) throws Exception {
    open();
    var _ = log.commitIndex(index);
    log.close();
  }

  private long agreedAfterACrash(Path file, byte[] left) throws Exception {
    var _ = Files.write(file, left);
    open();
    long agreed = log.commitIndex();
    log.close();
    return agreed;
  }

  /// The machine stops while the index of what is agreed on is written.
  @Test
  void whatIsAgreedOn_writtenInPart_isWhatItWasBefore() throws Exception {
    assertEquals(4, log.append(1, entries(1, "one", "two", "three", "four")));
    log.close();
    Path file = folder.resolve("agreed.raft");
    for (int index = 1; index <= 4; index++) {
      byte[] before = Files.readAllBytes(file);
      agreeOn(index);
      byte[] after = Files.readAllBytes(file);
      assertEquals(before.length, after.length);
      int first = Arrays.mismatch(before, after);
      int end = after.length;
      while (before[end - 1] == after[end - 1]) {
        end--;
      }
      for (int written = first; written < end; written++) {
        byte[] left = before.clone();
        System.arraycopy(after, first, left, first, written - first);
        assertEquals(index - 1, agreedAfterACrash(file, left));
        for (int lost : List.of(0, 0xff)) {
          Arrays.fill(left, written, end, (byte) lost);
          assertEquals(
              Arrays.equals(left, after) ? index : index - 1, agreedAfterACrash(file, left));
        }
      }
      agreeOn(index); // in the place of what is not whole
      assertEquals(index, agreedAfterACrash(file, Files.readAllBytes(file)));
    }
  }

  /// As after damage that no crash does.
  @Test
  void whatIsAgreedOn_damagedAsAWhole_isRefused() throws Exception {
    log.close();
    Path file = folder.resolve("agreed.raft");
    byte[] whole = Files.readAllBytes(file);
    for (byte[] each : List.of(new byte[0], new byte[whole.length], Arrays.copyOf(whole, 11))) {
      var _ = Files.write(file, each);
      assertRefused("agreed.raft (what is agreed on) is not whole");
    }
    Files.delete(file);
    assertRefused("agreed.raft (what is agreed on) is missing");
  }

  private static final Address MEMBER = ExtendedUUID.randomUUID("m");

  private long descriptors() throws Exception {
    long count = 0;
    try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        try {
          count += Files.readSymbolicLink(each).startsWith(folder.toRealPath()) ? 1 : 0;
        } catch (NoSuchFileException e) {
          // It was closed.
        }
      }
    }
    return count;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void removingOldEntries_leavesNoDescriptor() throws Exception {
    long before = descriptors();
    for (long i = 1; i <= 50; i++) {
      assertEquals(i, log.append(i, entries(1, "one")));
      var _ = log.commitIndex(i);
      log.setSnapshot(ByteBuffer.allocate(1));
      log.truncate(i);
    }
    assertEquals(before, descriptors());
    log.close();
    assertEquals(0, descriptors());
  }

  @Test
  void aVote_isReadAgain_andEndsWithItsTerm() throws Exception {
    var _ = log.currentTerm(5).votedFor(MEMBER);
    log.close();
    open();
    assertEquals(List.of(5L, MEMBER), List.of(log.currentTerm(), log.votedFor()));
    var _ = log.currentTerm(6);
    assertNull(log.votedFor());
    log.close();
    open();
    assertEquals(6, log.currentTerm());
    assertNull(log.votedFor());
  }

  /// A node that has voted, and has no entry yet.
  @Test
  void aVoteThatIsDamaged_isRefused() throws Exception {
    var _ = log.currentTerm(5).votedFor(MEMBER);
    log.close();
    Path file = folder.resolve("metadata.raft");
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      var _ = Files.write(file, Arrays.copyOf(whole, length));
      assertRefused("metadata.raft (its term and vote) is not whole");
      var _ = Files.write(file, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
      assertRefused("metadata.raft (its term and vote) is not whole");
    }
    Files.delete(file);
    assertRefused("metadata.raft (its term and vote) is missing");
    var _ = Files.write(file, whole);
    open();
    assertEquals(MEMBER, log.votedFor());
  }

  /// As jgroups-raft ends the thread that collects votes, when there is a leader.
  @Test
  void anInterrupt_ofAThreadThatVotes_isNoFailure() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    Thread.currentThread().interrupt();
    var _ = log.currentTerm(5).votedFor(null).votedFor(MEMBER);
    assertEquals("one", text(log.get(1)));
    assertEquals(2, log.append(2, entries(5, "two")));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), failures);
    log.close();
    open();
    assertEquals(MEMBER, log.votedFor());
    assertEquals(List.of("one", "two"), texts());
  }

  @Test
  void aFolder_hasOneUserAtATime() throws Exception {
    var second = new JGroupsLog(folder, failures::add);
    assertThrows(ClusterException.class, second::open);
    log.close();
    second.open();
    second.close();
  }
}
