package dev.rondo.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.observe.internal.LoopMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EachLoopTest {

  private static boolean meets(CountDownLatch others) {
    others.countDown();
    try {
      return others.await(1, TimeUnit.MINUTES); // asked one by one they would not meet
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void ask_severalLoops_atTheSameTimeAndInOrder() {
    try (Application _ = Application.builder().build();
        Application _ = Application.builder().build()) {
      List<LoopMonitor> loops = LoopMonitor.all();
      assertTrue(loops.size() >= 2, loops::toString);
      var all = new CountDownLatch(loops.size());
      var answers = EachLoop.ask(loops, _ -> meets(all));
      assertEquals(loops, new ArrayList<>(answers.keySet()));
      assertTrue(answers.values().stream().allMatch(met -> met));
    }
  }
}
