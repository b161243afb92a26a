package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    try (var channel = FileChannel.open(folder.resolve("entries.raft"), StandardOpenOption.WRITE)) {
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
    assertEquals(3, log.append(1, entries(1, "one", "two", "three")));
    log.close();
    damage(end("two") - 1, 1);
    ClusterException refused = assertThrows(ClusterException.class, this::open);
    assertTrue(refused.getMessage().contains("entry 2 of 1 to 3"), refused::getMessage);
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
    assertThrows(IllegalStateException.class, () -> log.get(1));
    assertThrows(IllegalStateException.class, () -> log.get(2));
    assertEquals(1, failures.size());
  }

  @Test
  void anEntryThatStandsForASnapshot_isReadAgain() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
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

  /// As JGroups ends the thread that writes.
  @Test
  void anInterrupt_ofANodeThatLeaves_isNoFailure() throws Exception {
    assertEquals(1, log.append(1, entries(1, "one")));
    log.leaving();
    Thread.currentThread().interrupt();
    assertThrows(IllegalStateException.class, () -> log.append(2, entries(1, "two")));
    assertTrue(Thread.interrupted());
    assertThrows(IllegalStateException.class, () -> log.get(1));
    assertEquals(List.of(), failures);
    log.close();
    open();
    assertEquals(1, log.lastAppended());
  }

  @Test
  void aSnapshot_takesThePlaceOfTheOneBefore() throws Exception {
    log.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    log.setSnapshot(ByteBuffer.wrap(new byte[] {7, 8}));
    assertArrayEquals(new byte[] {7, 8}, log.getSnapshot().array());
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of("entries.raft", "lock", "metadata.raft", "state_snapshot.raft"),
          files.map(each -> each.getFileName().toString()).sorted().toList());
    }
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
