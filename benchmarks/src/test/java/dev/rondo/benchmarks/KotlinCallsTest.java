package dev.rondo.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A Kotlin lambda keeps its result wherever code without a result may go as well.
final class KotlinCallsTest {

  @Test
  void lambdas_withResult_keepIt() {
    var results = new ArrayList<String>();
    Application.run(app -> {
      results.add(KotlinCalls.spawned(app).join());
      results.add(KotlinCalls.named(app).join());
      results.add(KotlinCalls.limited(app));
      results.add(KotlinCalls.blocked(app));
      results.add(KotlinCalls.joined(app));
    });
    assertEquals(List.of("spawned", "named", "limited", "blocked", "joined"), results);
  }

  @Test
  void lambdas_withAndWithoutParameter_areTold() {
    var seen = new ArrayList<String>();
    Application.run(app -> KotlinCalls.timers(app, seen));
    assertEquals(List.of("delayed", "tick 1"), seen);
  }

  @Test
  void predicates_withAndWithoutValue_areTold() {
    var seen = new ArrayList<String>();
    Application.run(app -> KotlinCalls.predicates(app, seen));
    assertEquals(List.of("holds", "value", "waited"), seen);
  }
}
