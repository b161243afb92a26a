package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class LoadWorkloadTest {

  private static final Row ROW = new Row("w", "", "rondo", "ms");

  private final Results results = new Results();

  /// Prints what its argument says.
  static final class Program {

    static void main(String[] args) {
      switch (args.length == 0 ? "" : args[0]) {
        case "skip" -> System.out.println("@skip|there is no wrk");
        case "silent" -> {}
        case "dies" -> {
          Sample.print("w", "", "rondo", "ms", 5);
          System.exit(3);
        }
        default -> Sample.print("w", "", "rondo", "ms", 5);
      }
    }
  }

  @Test
  void run_program_isRunInTwoJvms() throws Exception {
    new LoadWorkload("w", Program.class).run(results);

    assertEquals(2, results.numbers(ROW).count());
    assertTrue(results.failures().isEmpty());
  }

  @Test
  void run_onceOnly_isRunOnce() throws Exception {
    new LoadWorkload("w", Program.class).once().run(results);

    assertEquals(1, results.numbers(ROW).count());
  }

  @Test
  void run_oneArgumentFails_theOtherIsMeasured() throws Exception {
    new LoadWorkload("w", Program.class, "dies", "well").once().run(results);

    assertEquals(2, results.numbers(ROW).count());
    assertEquals(
        "[Note[workload=w dies, why=ended with 3 and 1 samples]]", results.failures().toString());
  }

  @Test
  void run_programSaysNothing_isAFailure() throws Exception {
    new LoadWorkload("w", Program.class, "silent").once().run(results);

    assertEquals(
        "[Note[workload=w silent, why=ended with 0 and 0 samples]]", results.failures().toString());
  }

  @Test
  void run_programSkips_isNoFailure() throws Exception {
    new LoadWorkload("w", Program.class, "skip").once().run(results);

    assertTrue(results.failures().isEmpty());
    assertEquals("[Note[workload=w, why=there is no wrk]]", results.skipped().toString());
  }
}
