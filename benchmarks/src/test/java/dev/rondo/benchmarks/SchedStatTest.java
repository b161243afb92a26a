package dev.rondo.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchedStatTest {

  private static final SchedStat.Times BEFORE = new SchedStat.Times(100, 7);

  @Test
  void of_folder_hasOneEntryForEachThreadThatHasNotEnded(@TempDir Path folder) throws IOException {
    Path thread = Files.createDirectory(folder.resolve("11"));
    Files.writeString(thread.resolve("schedstat"), "500 20 3\n");
    Files.writeString(thread.resolve("comm"), "loop\n");
    Files.createDirectory(folder.resolve("12")); // it has ended

    assertEquals(new SchedStat(Map.of("11", new SchedStat.Times(500, 20))), SchedStat.of(folder));
  }

  @Test
  void of_compilers_isWithoutTheOthers(@TempDir Path folder) throws IOException {
    for (String name : List.of("loop", "C2 CompilerThre", "C1 CompilerThre")) {
      Path thread = Files.createDirectory(folder.resolve(name));
      Files.writeString(thread.resolve("schedstat"), "500 20 3\n");
      Files.writeString(thread.resolve("comm"), name + "\n");
    }

    var stat = SchedStat.of(folder, SchedStat::isCompiler);

    assertEquals(Set.of("C2 CompilerThre", "C1 CompilerThre"), stat.threads().keySet());
  }

  @Test
  void ranSince_threadsThatWereThereAndNewOnes_areSummed() {
    var before = new SchedStat(Map.of("1", BEFORE));
    var after =
        new SchedStat(Map.of("1", new SchedStat.Times(150, 9), "2", new SchedStat.Times(30, 40)));

    assertEquals(80, after.ranNanosSince(before));
  }

  @Test
  void busiestRanAndWaitedSince_areThoseOfTheThreadThatRanMost() {
    var before = new SchedStat(Map.of("1", BEFORE, "2", BEFORE));
    var after =
        new SchedStat(Map.of("1", new SchedStat.Times(150, 9), "2", new SchedStat.Times(130, 40)));

    assertEquals(50, after.busiestRanNanosSince(before));
    assertEquals(2, after.waitedNanosSince(before));
  }
}
