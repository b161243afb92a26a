package com.example.fresh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.junit.RondoTest;
import dev.rondo.junit.SearchStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Tests whose runs have classes of their own, for `RondoTestFreshClassesTest`.
public class FreshCases {

  /// The count before the test, by the [Counter] that the run sees.
  private int before;

  @BeforeEach
  void count(Application app) {
    before = Counter.next();
  }

  @RondoTest(schedules = 10, freshClasses = true)
  void eachOrder(Application app) {
    app.yield();
    assertEquals(List.of(1, 2), List.of(before, Counter.next()));
  }

  @RondoTest(freshClasses = true)
  void once() {
    assertEquals(List.of(1, 2), List.of(before, Counter.next()));
  }

  @RondoTest(
      seed = {1, 2, 3},
      freshClasses = true)
  void eachSeed() {
    assertEquals(List.of(1, 2), List.of(before, Counter.next()));
  }

  @RondoTest(schedules = 10)
  void shared() {
    assertEquals(1, Counter.next() - before);
    assertEquals(1, before);
  }

  /// Fails in some orders, after all of them have drawn.
  @RondoTest(schedules = 100, seed = 1, strategy = SearchStrategy.WEIGHTED, freshClasses = true)
  void failing(Application app, RandomGenerator random) {
    var order = new ArrayList<Integer>();
    var tasks = List.of(app.spawn(() -> order.add(1)), app.spawn(() -> order.add(2)));
    tasks.forEach(each -> each.join());
    if (order.getFirst() == 2) {
      throw new Broken(random.nextInt(3) + " " + Counter.next());
    }
  }

  /// A class of the run.
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  @Nested
  class Inner {
    @RondoTest(freshClasses = true)
    void once() {
      assertEquals(List.of(1, 2), List.of(before, Counter.next()));
    }
  }

  /// Has a folder for each run of JUnit.
  public static class WithFolder {
    @TempDir Path folder;

    @RondoTest(freshClasses = true)
    void once() {}
  }

  /// Shares its instance.
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  public static class WithOneInstance {
    @RondoTest(freshClasses = true)
    void once() {}
  }

  /// Prepares something for all runs.
  public static class WithBeforeAll {
    @BeforeAll
    static void prepare() {}

    @RondoTest(freshClasses = true)
    void once() {}
  }
}
