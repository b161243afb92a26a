package dev.rondo.examples.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.examples.core.SameFringe.Tree;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What the programs of the core say.
final class CoreProgramsTest {

  private final List<String> told = new CopyOnWriteArrayList<>();

  @Test
  void sameFringe_trees_areComparedNoFartherThanNeeded() {
    Tree leaning = Tree.of(Tree.of(Tree.of("a"), Tree.of("b")), Tree.of("c"));
    Tree upright = Tree.of(Tree.of("a"), Tree.of(Tree.of("b"), Tree.of("c")));
    Tree other = Tree.of(Tree.of("x"), leaning);
    try (Scheduler scheduler = Scheduler.create()) {
      var fringes = new SameFringe(scheduler);
      assertTrue(fringes.areSame(leaning, upright));
      assertEquals(6, fringes.visited());
      assertFalse(fringes.areSame(leaning, other));
      assertEquals(8, fringes.visited());
      assertFalse(fringes.areSame(leaning, Tree.of(leaning, other)));
      assertEquals(List.of("a", "b"), fringes.first(upright, 2));
    }
  }

  @Test
  void printShop_policies_orderThePages() {
    assertEquals(
        "book 1, memo 1, bill 1, book 2, memo 2, bill 2, book 3, book 4", pages("round robin"));
    assertEquals(
        "bill 1, bill 2, memo 1, memo 2, book 1, book 2, book 3, book 4", pages("priority"));
    assertEquals("bill 1, bill 2, memo 1, book 1, memo 2, book 2, book 3, book 4", pages("ageing"));
    assertEquals(
        "book 1, book 2, book 3, book 4, bill 1, bill 2, memo 1, memo 2", pages("deadlines"));
    assertEquals(pages("random"), pages("random"));
  }

  private static String pages(String policy) {
    return String.join(", ", PrintShop.print(PrintShop.policies().get(policy)));
  }

  @Test
  void waitingRoom_nurse_rearrangesTheQueue() {
    WaitingRoom.open(told::add);
    assertEquals(
        List.of(
            "Cy is in the queue: false",
            "in the queue: [Eve, Ann, Dee, Bob, Fay]",
            "Eve",
            "Ann",
            "Dee",
            "Bob",
            "Fay hears 'your turn'",
            "Cy with a coffee"),
        told);
  }

  @Test
  void guessTheNumber_valuesBetweenRuns_arePassed() {
    assertEquals(List.of(50, 25, 37, 43, 40, 41, 42), GuessTheNumber.play(42));
    assertEquals(List.of(1, 3, 6, 10, "the sum is 10"), GuessTheNumber.sums(List.of(1, 2, 3, 4)));
  }

  @Test
  void requestLog_tasksOfARequest_inheritItsLocals() {
    RequestLog.serve(told::add);
    assertEquals(
        List.of(
            "request 1 of ada begins",
            "request 2 of nobody begins",
            "the server of nobody is idle",
            "request 1 of ada writes to the audit log",
            "request 1 of root reads the account",
            "request 1 of ada ends",
            "request 2 of nobody writes to the audit log",
            "request 2 of root reads the account",
            "request 2 of nobody ends"),
        told);
  }

  @Test
  void mirrors_policiesAndTraps_makeTheBestOfIt() {
    Mirrors.compare(told::add);
    assertEquals(
        List.of(
            "the fastest: the file from oslo",
            "success: the file from oslo",
            "failure: down.example does not answer",
            "success: the file from porto",
            "cancelled: too far away",
            "with a default: an old copy, because down.example does not answer"),
        told);
  }

  @Test
  void whoCancelled_circumstances_areKnown() {
    var clock = new VirtualClock();
    var reports = new ArrayList<String>();
    var builder =
        Scheduler.builder().failureHandler((where, failure) -> reports.add(failure.toString()));
    try (Scheduler scheduler = clock.scheduler(builder)) {
      WhoCancelled.work(scheduler, told::add);
    }
    assertEquals(
        List.of(
            "task 'disk' cancelled it in WhoCancelled.java, because 'no space': the disk is full",
            "the preview is left out",
            "the upload has ended"),
        told);
    assertEquals(1, reports.size(), reports::toString);
    assertTrue(reports.getFirst().contains("upload"), reports::toString);
    assertEquals(200, clock.elapsed().toMillis());
  }

  @Test
  void newsDesk_selects_takeWhatHasCome() {
    var clock = new VirtualClock().autojump(VirtualClock.Autojump.ALWAYS);
    try (Scheduler scheduler = clock.scheduler(Scheduler.builder())) {
      NewsDesk.open(scheduler, new Random(3), told::add);
    }
    assertEquals(
        List.of(
            "nothing yet",
            "wire: a comet is near",
            "mail: the cat is found",
            "2 news",
            "front page: a comet is nearer",
            "to print",
            "the search is given up",
            "filed: no comment"),
        told);
  }

  @Test
  void checkedRun_lockAndAssertion_areFound() {
    var builder = Scheduler.builder().backend(CoroutineBackends.continuation());
    CheckedRun.run(builder, told::add);
    assertEquals(2, told.size(), told::toString);
    assertTrue(told.getFirst().contains("yieldUnderLock"), told::toString);
    assertEquals("the run has ended: the balance is -1", told.getLast());
  }
}
