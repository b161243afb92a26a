package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A program of docs/modules/simulation.md.
final class DiskExampleTest {

  @Test
  void forcedFileInAnUnforcedDirectory_isSometimesGone() throws IOException {
    Set<Boolean> there = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      there.add(survives(seed));
    }
    assertEquals(Set.of(true, false), there);
  }

  private static boolean survives(int seed) throws IOException {
    var disk = new SimulatedDisk(new SplittableRandom(seed));
    Path log = disk.path("/log");
    try (FileChannel channel = FileChannel.open(log, CREATE, WRITE)) {
      channel.write(ByteBuffer.wrap("acknowledged".getBytes(UTF_8)));
      channel.force(true);
    }
    disk.powerLost();
    return Files.exists(log);
  }
}
