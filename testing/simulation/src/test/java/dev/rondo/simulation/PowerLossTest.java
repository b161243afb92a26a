package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a power failure and a killed process leave on a simulated disk.
final class PowerLossTest {

  private static final int SEEDS = 300;
  private static final int SECTOR = 512;

  /// Prepares a disk, and returns what is to be looked at after the power has failed.
  @FunctionalInterface
  private interface Story {
    void run(SimulatedDisk disk) throws IOException;
  }

  @FunctionalInterface
  private interface Look {
    String at(SimulatedDisk disk) throws IOException;
  }

  /// {@return what is seen after a power failure, over many seeds}
  private static Set<String> outcomes(Story story, Look look) throws IOException {
    var seen = new TreeSet<String>();
    for (int seed = 0; seed < SEEDS; seed++) {
      seen.add(outcome(seed, story, look));
    }
    return seen;
  }

  private static String outcome(int seed, Story story, Look look) throws IOException {
    var disk = new SimulatedDisk(new SplittableRandom(seed));
    story.run(disk);
    disk.powerLost();
    return look.at(disk);
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// A file whose name and content are forced.
  private static Path forced(SimulatedDisk disk, String name, String content) throws IOException {
    Path file = Files.writeString(disk.path(name), content);
    force(file);
    force(file.toAbsolutePath().getParent());
    return file;
  }

  private static Look content(String name) {
    return disk -> Files.exists(disk.path(name)) ? Files.readString(disk.path(name)) : "no " + name;
  }

  private static String names(SimulatedDisk disk) throws IOException {
    try (Stream<Path> files = Files.walk(disk.path("/"))) {
      return String.join(" ", files.map(Path::toString).toList());
    }
  }

  // Content.

  @Test
  void forcedContent_powerLost_isThere() throws IOException {
    assertEquals(
        List.of("abc"),
        List.copyOf(outcomes(disk -> forced(disk, "/file", "abc"), content("/file"))));
  }

  @Test
  void unforcedAppend_powerLost_isThereLostOrTorn() throws IOException {
    Set<String> seen =
        outcomes(
            disk ->
                Files.writeString(forced(disk, "/file", "abc"), "defg", StandardOpenOption.APPEND),
            content("/file"));

    assertTrue(
        seen.containsAll(List.of("abc", "abcdefg", "abcd\0\0\0", "abc\0\0\0\0")), seen::toString);
  }

  @Test
  void unforcedSectors_powerLost_areLostIndependently() throws IOException {
    Set<String> seen =
        outcomes(
            disk ->
                Files.writeString(
                    forced(disk, "/file", "-".repeat(3 * SECTOR)),
                    "+".repeat(3 * SECTOR),
                    StandardOpenOption.WRITE),
            disk -> {
              byte[] bytes = Files.readAllBytes(disk.path("/file"));
              assertEquals(3 * SECTOR, bytes.length);
              return "" + (char) bytes[0] + (char) bytes[SECTOR] + (char) bytes[2 * SECTOR];
            });

    assertEquals(
        new TreeSet<>(List.of("---", "--+", "-+-", "-++", "+--", "+-+", "++-", "+++")), seen);
  }

  @Test
  void writesToOneSector_powerLost_areLostFromTheEnd() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Path file = forced(disk, "/file", "----");
              try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < 4; i++) {
                  channel.write(ByteBuffer.wrap(new byte[] {'+'}), i);
                }
              }
            },
            content("/file"));

    assertEquals(new TreeSet<>(List.of("----", "+---", "++--", "+++-", "++++")), seen);
  }

  @Test
  void unforcedTruncation_powerLost_isThereOrLost() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Path file = forced(disk, "/file", "abcdef");
              try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(2);
              }
            },
            content("/file"));

    assertEquals(new TreeSet<>(List.of("ab", "abcdef")), seen);
  }

  @Test
  void syncedWrite_powerLost_isThere() throws IOException {
    for (StandardOpenOption option : List.of(StandardOpenOption.SYNC, StandardOpenOption.DSYNC)) {
      Set<String> seen =
          outcomes(
              disk ->
                  Files.writeString(
                      forced(disk, "/file", "abc"), "xyz", StandardOpenOption.WRITE, option),
              content("/file"));

      assertEquals(List.of("xyz"), List.copyOf(seen));
    }
  }

  @Test
  void lostContent_afterASecondFailure_isTheSame() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      var disk = new SimulatedDisk(new SplittableRandom(seed));
      Path file = forced(disk, "/file", "abc");
      Files.writeString(file, "x".repeat(5 * SECTOR));
      disk.powerLost();
      byte[] left = Files.readAllBytes(file);

      disk.powerLost();

      assertArrayEquals(left, Files.readAllBytes(file));
    }
  }

  // Names.

  @Test
  void forcedFile_ofAnUnforcedDirectory_mayBeGone() throws IOException {
    Set<String> seen =
        outcomes(disk -> force(Files.writeString(disk.path("/file"), "abc")), content("/file"));

    assertEquals(new TreeSet<>(List.of("abc", "no /file")), seen);
  }

  @Test
  void forcedName_ofAnUnforcedFile_mayBeEmpty() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Files.writeString(disk.path("/file"), "abc");
              force(disk.path("/"));
            },
            content("/file"));

    assertTrue(seen.containsAll(List.of("", "abc", "\0\0\0")), seen::toString);
    assertFalse(seen.contains("no /file"));
  }

  @Test
  void forcedDirectory_ofAnUnforcedParent_mayBeGone() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Files.createDirectories(disk.path("/a/b"));
              force(disk.path("/a"));
            },
            PowerLossTest::names);

    assertEquals(new TreeSet<>(List.of("/", "/ /a /a/b")), seen);
  }

  @Test
  void unforcedDeletion_powerLost_mayBeUndone() throws IOException {
    Set<String> seen =
        outcomes(disk -> Files.delete(forced(disk, "/file", "abc")), content("/file"));

    assertEquals(new TreeSet<>(List.of("abc", "no /file")), seen);
  }

  @Test
  void atomicRename_overAForcedFile_leavesOneOfBoth() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Path old = forced(disk, "/file", "old");
              Path next = forced(disk, "/next", "new");
              Files.move(next, old, StandardCopyOption.ATOMIC_MOVE);
            },
            disk -> content("/file").at(disk) + ", " + content("/next").at(disk));

    assertEquals(new TreeSet<>(List.of("new, no /next", "old, new")), seen);
  }

  /// The JDK deletes the target first.
  @Test
  void replacingMove_overAForcedFile_mayLeaveNone() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Path old = forced(disk, "/file", "old");
              Path next = forced(disk, "/next", "new");
              Files.move(next, old, StandardCopyOption.REPLACE_EXISTING);
            },
            disk -> content("/file").at(disk) + ", " + content("/next").at(disk));

    assertEquals(new TreeSet<>(List.of("new, no /next", "no /file, new", "old, new")), seen);
  }

  @Test
  void renameOfAnUnforcedFile_powerLost_mayBeEmpty() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Path old = forced(disk, "/file", "old");
              Path next = Files.writeString(disk.path("/next"), "new");
              Files.move(next, old, StandardCopyOption.ATOMIC_MOVE);
              force(disk.path("/"));
            },
            content("/file"));

    assertTrue(seen.containsAll(List.of("new", "")), seen::toString);
    assertFalse(seen.contains("old"));
  }

  @Test
  void renameBetweenDirectories_oneForced_isInBoth() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Files.createDirectories(disk.path("/a"));
              Files.createDirectories(disk.path("/b"));
              force(disk.path("/"));
              Path file = forced(disk, "/a/file", "abc");
              Files.move(file, disk.path("/b/file"));
              force(disk.path("/a"));
            },
            PowerLossTest::names);

    assertEquals(List.of("/ /a /b /b/file"), List.copyOf(seen));
  }

  @Test
  void changesOfDifferentNames_powerLost_areLostIndependently() throws IOException {
    Set<String> seen =
        outcomes(
            disk -> {
              Files.createFile(disk.path("/a"));
              Files.createFile(disk.path("/b"));
            },
            PowerLossTest::names);

    assertEquals(new TreeSet<>(List.of("/", "/ /a", "/ /b", "/ /a /b")), seen);
  }

  @Test
  void hardLink_powerLost_hasTheContentOfTheFile() throws IOException {
    Predicate<SimulatedDisk> same =
        disk -> {
          try {
            return Files.isSameFile(disk.path("/file"), disk.path("/link"));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };
    Set<String> seen =
        outcomes(
            disk -> {
              Files.createLink(disk.path("/link"), forced(disk, "/file", "abc"));
              Files.createSymbolicLink(disk.path("/symbolic"), disk.path("file"));
              force(disk.path("/"));
            },
            disk -> same.test(disk) + content("/link").at(disk) + content("/symbolic").at(disk));

    assertEquals(List.of("trueabcabc"), List.copyOf(seen));
  }

  // Ends.

  @Test
  void processKilled_openFile_losesNothingButIsClosed() throws IOException {
    var disk = new SimulatedDisk(new SplittableRandom(1));
    Path file = disk.path("/file");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.write(ByteBuffer.wrap("abc".getBytes(StandardCharsets.UTF_8)));
    assertEquals(1, disk.openFiles());

    disk.processKilled();

    assertEquals(0, disk.openFiles());
    assertThrows(ClosedChannelException.class, () -> channel.write(ByteBuffer.allocate(1)));
    assertEquals("abc", Files.readString(file));
  }

  @Test
  void powerLost_openFile_isClosedAndGoesOnFromWhatIsLeft() throws IOException {
    var disk = new SimulatedDisk(new SplittableRandom(1));
    Path file = forced(disk, "/file", "abc");
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);

    disk.powerLost();

    assertThrows(ClosedChannelException.class, () -> channel.force(true));
    Files.writeString(file, "def", StandardOpenOption.APPEND);
    assertEquals("abcdef", Files.readString(file));
  }

  @Test
  void sameSeed_powerLost_hasTheSameOutcome() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertEquals(
          outcome(seed, PowerLossTest::mixed, PowerLossTest::everything),
          outcome(seed, PowerLossTest::mixed, PowerLossTest::everything));
    }
    assertTrue(outcomes(PowerLossTest::mixed, PowerLossTest::everything).size() > SEEDS / 2);
  }

  /// A story that is drawn, too.
  private static void mixed(SimulatedDisk disk) throws IOException {
    var random = new SplittableRandom(42);
    for (int i = 0; i < 100; i++) {
      Path file = disk.path("/" + random.nextInt(8));
      var bytes = new byte[random.nextInt(1, 2000)];
      random.nextBytes(bytes);
      switch (random.nextInt(4)) {
        case 0 -> Files.write(file, bytes);
        case 1 -> Files.deleteIfExists(file);
        case 2 -> Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        default -> force(Files.exists(file) ? file : disk.path("/"));
      }
    }
  }

  private static String everything(SimulatedDisk disk) throws IOException {
    var all = new StringBuilder(names(disk));
    try (Stream<Path> files = Files.list(disk.path("/"))) {
      for (Path each : files.toList()) {
        all.append(' ').append(Arrays.hashCode(Files.readAllBytes(each)));
      }
    }
    return all.toString();
  }
}
