package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random operations: on a simulated disk they do what they do on the kernel's file system, and
/// what they have forced survives.
final class RandomFilesTest {

  private static final int RUNS = 20;
  private static final int OPERATIONS = 100;
  private static final String[] NAMES = {"a", "b", "c", "d/x", "d/y", "d", "e", "e/z"};

  /// Makes one random operation.
  ///
  /// @return its outcome
  private static String operate(Path folder, SplittableRandom random) {
    int kind = random.nextInt(9);
    Path one = folder.resolve(NAMES[random.nextInt(NAMES.length)]);
    Path two = folder.resolve(NAMES[random.nextInt(NAMES.length)]);
    int number = random.nextInt(5_000);
    String name = kind + " " + folder.relativize(one) + " " + folder.relativize(two) + ": ";
    try {
      switch (kind) {
        case 0 -> Files.createDirectory(one);
        case 1 -> Files.delete(one);
        case 2 -> Files.move(one, two);
        case 3 -> Files.move(one, two, StandardCopyOption.ATOMIC_MOVE);
        case 4 -> Files.move(one, two, StandardCopyOption.REPLACE_EXISTING);
        case 5 -> Files.copy(one, two, StandardCopyOption.REPLACE_EXISTING);
        case 6 -> Files.createLink(one, two);
        case 7 -> write(one, number);
        default -> truncate(one, number);
      }
      return name + "done";
    } catch (FileSystemException e) {
      return name + "fails";
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  private static void write(Path file, int at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(("at " + at).getBytes(StandardCharsets.UTF_8)), at);
    }
  }

  private static void truncate(Path file, int size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  private static Map<String, String> tree(Path folder) throws IOException {
    var tree = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.toList()) {
        tree.put(
            folder.relativize(each).toString(),
            Files.isDirectory(each) ? "directory" : Files.readString(each));
      }
    }
    return tree;
  }

  @Test
  void randomOperations_haveTheOutcomesOfTheKernel(@TempDir Path temporary) throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      Path real = Files.createDirectory(temporary.resolve("" + seed));
      Path simulated = new SimulatedDisk(new SplittableRandom(seed)).path("/");
      var random = new SplittableRandom(seed);
      var again = new SplittableRandom(seed);
      for (int i = 0; i < OPERATIONS; i++) {
        String expected = operate(real, random);
        String at = "seed " + seed + ", operation " + i + ": " + expected;
        assertEquals(expected, operate(simulated, again), at);
        assertEquals(tree(real), tree(simulated), at);
      }
    }
  }

  @Test
  void allForced_powerLost_losesNothing() throws IOException {
    assertNothingLost(RandomFilesTest::forceAll);
  }

  @Test
  void sync_powerLost_losesNothing() throws IOException {
    assertNothingLost(SimulatedDisk::sync);
  }

  @FunctionalInterface
  private interface Saving {
    void save(SimulatedDisk disk) throws IOException;
  }

  private static void assertNothingLost(Saving saving) throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      var disk = new SimulatedDisk(new SplittableRandom(seed));
      var random = new SplittableRandom(seed);
      for (int i = 0; i < OPERATIONS; i++) {
        operate(disk.path("/"), random);
      }
      Map<String, String> expected = tree(disk.path("/"));
      saving.save(disk);

      disk.powerLost();

      assertEquals(expected, tree(disk.path("/")), "seed " + seed);
    }
  }

  private static void forceAll(SimulatedDisk disk) throws IOException {
    try (Stream<Path> all = Files.walk(disk.path("/"))) {
      for (Path each : all.toList()) {
        force(each);
      }
    }
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// One file after the other is made as a program should: forced, then named, then the directory
  /// forced. Other files change meanwhile.
  @Test
  void filesReplacedWithCare_powerLost_areNewOrOld() throws IOException {
    for (int seed = 0; seed < RUNS; seed++) {
      var disk = new SimulatedDisk(new SplittableRandom(seed));
      var random = new SplittableRandom(seed);
      var safe = new LinkedHashMap<Path, String>();
      for (int i = 0; i < 20; i++) {
        operate(disk.path("/"), random);
        Path file = disk.path("/safe" + random.nextInt(3));
        Path next = Files.writeString(disk.path("/next"), "content " + i);
        force(next);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        force(disk.path("/"));
        safe.put(file, "content " + i);
      }
      Path last = disk.path("/safe0");
      Path next = Files.writeString(disk.path("/next"), "last");
      force(next);
      Files.move(next, last, StandardCopyOption.ATOMIC_MOVE);

      disk.powerLost();

      for (Map.Entry<Path, String> each : safe.entrySet()) {
        String left = Files.readString(each.getKey());
        assertTrue(
            left.equals(each.getValue()) || (each.getKey().equals(last) && left.equals("last")),
            () -> each + " is " + left);
      }
    }
  }
}
