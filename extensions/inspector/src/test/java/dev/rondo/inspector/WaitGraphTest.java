package dev.rondo.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.internal.rooms.TaskWait;
import dev.rondo.scheduler.internal.rooms.TaskWait.Holder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Which waits never end, and which of them are a cycle.
final class WaitGraphTest {

  private static Holder task(String name) {
    return new Holder(1, name.hashCode(), name);
  }

  private static TaskWait wait(
      String waiter, boolean all, boolean held, long stamp, String... holders) {
    List<Holder> tasks = Arrays.stream(holders).map(WaitGraphTest::task).toList();
    return new TaskWait(task(waiter), "something", Duration.ZERO, stamp, all, held, tasks, false);
  }

  private static TaskWait any(String waiter, String... holders) {
    return wait(waiter, false, true, 1, holders);
  }

  private static TaskWait all(String waiter, String... holders) {
    return wait(waiter, true, true, 1, holders);
  }

  private static Set<String> names(Iterable<TaskWait> waits) {
    var names = new TreeSet<String>();
    waits.forEach(each -> names.add(each.waiter().name()));
    return names;
  }

  private static Set<String> stuck(TaskWait... waits) {
    return names(new WaitGraph(List.of(waits)).stuck());
  }

  @Test
  void stuck_cycleAndWhatWaitsForIt() {
    assertEquals(Set.of("a", "b", "c"), stuck(any("a", "b"), any("b", "a"), any("c", "a")));
  }

  @Test
  void stuck_chain_isNot() {
    assertEquals(Set.of(), stuck(any("a", "b"), any("b", "c")));
  }

  @Test
  void stuck_cycleThatHasAWayOut_isNot() {
    assertEquals(Set.of(), stuck(any("a", "b", "free"), any("b", "a")));
    assertEquals(Set.of(), stuck(wait("a", false, false, 1, "b"), any("b", "a")));
  }

  @Test
  void stuck_waitForAll_needsEach() {
    assertEquals(Set.of("a", "b"), stuck(all("a", "b", "free"), any("b", "a")));
    assertEquals(Set.of(), stuck(all("a", "b", "free"), any("b", "free")));
  }

  @Test
  void cycles_areSeparate_andWithoutWhatWaitsForThem() {
    var graph =
        new WaitGraph(
            List.of(
                any("a", "b"),
                any("b", "a"),
                any("c", "a"),
                any("d", "e"),
                any("e", "d"),
                any("self", "self")));
    Set<Set<String>> cycles =
        graph.cycles(graph.stuck()).stream().map(WaitGraphTest::names).collect(Collectors.toSet());
    assertEquals(Set.of(Set.of("a", "b"), Set.of("d", "e"), Set.of("self")), cycles);
  }

  @Test
  void cycles_ofAHundredThousandTasks() {
    int many = 100_000;
    var waits = new TaskWait[many];
    for (int i = 0; i < many; i++) {
      waits[i] =
          new TaskWait(
              new Holder(1, i, "t"),
              "something",
              Duration.ZERO,
              1,
              false,
              true,
              List.of(new Holder(1, (i + 1) % many, "t")),
              false);
    }
    var graph = new WaitGraph(List.of(waits));
    List<List<TaskWait>> cycles = graph.cycles(graph.stuck());
    assertEquals(1, cycles.size());
    assertEquals(many, cycles.getFirst().size());
  }

  @Test
  void lasting_anotherWaitOfTheSameTask_isNot() {
    var earlier = new WaitGraph(List.of(any("a", "b"), any("b", "a")));
    var later = new WaitGraph(List.of(wait("a", false, true, 2, "b"), any("b", "a")));
    assertEquals(Set.of("b"), names(earlier.lasting(later).waits()));
  }
}
