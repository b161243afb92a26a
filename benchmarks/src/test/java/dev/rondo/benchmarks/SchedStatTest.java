package dev.rondo.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchedStatTest {

  private static final SchedStat.Times BEFORE = new SchedStat.Times(100, 7);

  @Test
  void of_folder_hasOneEntryForEachThreadThatHasNotEnded(@TempDir Path folder) throws IOException {
    Path thread = Files.createDirectory(folder.resolve("11"));
    Files.writeString(thread.resolve("schedstat"), "500 20 3\n");
    Files.createDirectory(folder.resolve("12")); // it has ended

    assertEquals(new SchedStat(Map.of("11", new SchedStat.Times(500, 20))), SchedStat.of(folder));
  }

  @Test
  void ranSince_threadsThatWereThereAndNewOnes_areSummed() {
    var before = new SchedStat(Map.of("1", BEFORE));
    var after =
        new SchedStat(Map.of("1", new SchedStat.Times(150, 9), "2", new SchedStat.Times(30, 40)));

    assertEquals(80, after.ranNanosSince(before));
  }

  @Test
  void waitedSince_isThatOfTheThreadThatRanMost() {
    var before = new SchedStat(Map.of("1", BEFORE, "2", BEFORE));
    var after =
        new SchedStat(Map.of("1", new SchedStat.Times(150, 9), "2", new SchedStat.Times(130, 40)));

    assertEquals(2, after.waitedNanosSince(before));
  }
}
