package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// The peculiarities of this executor service: jobs are tasks, and end with their application.
/// [ExecutorContractTest] tests the contract of every executor service.
final class TaskExecutorTest extends ExecutorRig {

  @Test
  void submit_aCallableThatSuspends_isATaskAndItsFutureHasTheResult() {
    outside(service -> {
      assertEquals("a", service.submit(sleeping("a", 5)).get());
      assertEquals("x", service.submit(() -> log("run"), "x").get());
      assertEquals(List.of("a@5", "run@5"), log);
    });
  }

  private static Future<Integer> capturing(
      ListeningScheduledExecutorService service, List<WeakReference<?>> references) {
    var held = new Object();
    references.add(new WeakReference<>(held));
    return service.submit(held::hashCode);
  }

  @Test
  void futureThatIsDone_doesNotHoldItsCode() {
    outside(service -> {
      List<WeakReference<?>> references = new ArrayList<>();
      Future<Integer> ran = capturing(service, references);
      int result = ran.get();
      Future<Integer> cancelled = capturing(service, references);
      cancelled.cancel(false);
      service.submit(() -> {}).get(); // replaces the last job that ran
      for (int i = 0; i < 20 && references.stream().anyMatch(each -> each.get() != null); i++) {
        System.gc();
      }
      assertEquals(0, references.stream().filter(each -> each.get() != null).count());
      assertEquals(result, ran.get());
      assertTrue(cancelled.isDone());
    });
  }

  @Test
  void submit_fails_onlyTheFutureHasTheFailure() {
    var failure = new IOException("no");
    outside(service -> {
      Future<?> future =
          service.submit(() -> {
            throw failure;
          });
      var thrown = assertThrows(ExecutionException.class, future::get);
      assertSame(failure, thrown.getCause());
    });
  }

  @Test
  void execute_fails_theFailureHandlerReceivesIt() {
    outside(service -> {
      service.execute(() -> {
        throw new IllegalStateException("no");
      });
      service.submit(() -> {}).get();
    });
    assertEquals("no", failures.removeFirst().getMessage());
  }

  @Test
  void execute_failsWithACheckedExceptionAllTheSame_theFailureHandlerReceivesIt() {
    var failure = new IOException("sneaked");
    outside(service -> {
      service.execute(() -> TaskExecutorTest.<RuntimeException>sneak(failure));
      service.submit(() -> {}).get();
    });
    assertSame(failure, failures.removeFirst());
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> void sneak(Throwable failure) throws X {
    throw (X) failure;
  }

  @Test
  void nulls_everywhere_areRefused() {
    outside(service -> {
      assertThrows(NullPointerException.class, () -> service.execute(null));
      assertThrows(NullPointerException.class, () -> service.submit((Runnable) null));
      assertThrows(
          NullPointerException.class,
          () -> service.scheduleAtFixedRate(null, 1, 1, TimeUnit.SECONDS));
      assertThrows(
          IllegalArgumentException.class,
          () -> service.scheduleAtFixedRate(() -> {}, 1, 0, TimeUnit.SECONDS));
    });
  }

  @Test
  void cancel_interrupting_endsTheTaskAtItsSuspensionPoint() throws Exception {
    var begun = new CountDownLatch(1);
    outside(service -> {
      Future<?> future =
          service.submit(() -> {
            try {
              begun.countDown();
              Rondo.waitForSignal("never");
            } finally {
              log("finally");
            }
          });
      begun.await();
      assertTrue(future.cancel(true));
      assertFalse(future.cancel(true));
      assertThrows(CancellationException.class, future::get);
    });
    assertEquals(List.of("finally@0"), log);
  }

  @Test
  void get_withATimeout_givesUp() {
    outside(service -> {
      Future<?> future = service.submit(() -> Rondo.waitForSignal("go"));
      assertThrows(TimeoutException.class, () -> future.get(1, TimeUnit.MILLISECONDS));
      service.submit(() -> Rondo.signalAll("go")).get();
      future.get();
    });
  }

  @Test
  void schedule_afterADelay_runsThenAlsoWhenShutDownMeanwhile() {
    outside(service -> {
      service
          .submit(() -> { // in one turn, so that no time passes
            var _ = service.schedule(() -> log("b"), 20, TimeUnit.MILLISECONDS);
            var _ = service.schedule(() -> log("a"), 10, TimeUnit.MILLISECONDS);
            service.shutdown();
          })
          .get();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
    });
    assertEquals(List.of("a@10", "b@20"), log);
  }

  @Test
  void periodic_bothWays_keepTheirTimesUntilCancelled() {
    outside(service -> {
      var third = new CountDownLatch(3);
      var rate =
          service.scheduleAtFixedRate(
              () -> {
                log("rate");
                Rondo.sleep(Duration.ofMillis(4));
                third.countDown();
                if (third.getCount() == 0) {
                  Rondo.waitForSignal("cancelled");
                }
              },
              1,
              10,
              TimeUnit.MILLISECONDS);
      third.await();
      assertTrue(rate.cancel(true));
      assertThrows(CancellationException.class, rate::get);
    });
    assertEquals(List.of("rate@1", "rate@11", "rate@21"), log);
  }

  @Test
  void periodic_withFixedDelayThatFails_endsWithTheFailure() {
    outside(service -> {
      var future =
          service.scheduleWithFixedDelay(
              () -> {
                log("delay");
                Rondo.sleep(Duration.ofMillis(4));
                if (log.size() == 3) {
                  throw new IllegalStateException("third");
                }
              },
              0,
              10,
              TimeUnit.MILLISECONDS);
      assertEquals(
          "third", assertThrows(ExecutionException.class, future::get).getCause().getMessage());
    });
    assertEquals(List.of("delay@0", "delay@14", "delay@28"), log);
  }

  @Test
  void periodic_shutDown_isCancelled() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      var future = service.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.DAYS);
      service.shutdown();
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertTrue(future.isCancelled());
    });
  }

  @Test
  void invokeAllAndAny_severalCallables_answerAllAndOne() {
    outside(service -> {
      List<Future<String>> all = service.invokeAll(List.of(sleeping("a", 2), sleeping("b", 1)));
      assertEquals("a", all.get(0).get());
      assertEquals("b", all.get(1).get());
      assertEquals(2, log.size());
      Callable<String> bad =
          () -> {
            throw new IOException("bad");
          };
      assertEquals("c", service.invokeAny(List.of(bad, sleeping("c", 1))));
      assertThrows(ExecutionException.class, () -> service.invokeAny(List.of(bad)));
    });
  }

  @Test
  void shutdown_again_takesNothingNewAndTerminatesWhenAllHasRun() {
    outside(service -> {
      Future<String> last = service.submit(sleeping("last", 5));
      service.shutdown();
      service.shutdown();
      assertTrue(service.isShutdown());
      assertThrows(RejectedExecutionException.class, () -> service.execute(() -> {}));
      assertThrows(
          RejectedExecutionException.class, () -> service.schedule(() -> {}, 1, TimeUnit.DAYS));
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertTrue(service.isTerminated());
      assertEquals("last", last.get());
    });
  }

  @Test
  void shutdownNow_someRunAndSomeDoNot_cancelsThoseAndReturnsThese() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      var begun = new CountDownLatch(1);
      Future<?> running =
          service.submit(() -> {
            begun.countDown();
            Rondo.waitForSignal("never");
          });
      begun.await();
      var _ = service.schedule(() -> log("late"), 1, TimeUnit.DAYS);
      assertEquals(1, service.shutdownNow().size());
      assertTrue(service.awaitTermination(1, TimeUnit.MINUTES));
      assertThrows(CancellationException.class, running::get);
    });
    assertEquals(List.of(), log);
  }

  @Test
  void blockingCalls_inATask_areRefused() {
    clock.autojump(VirtualClock.Autojump.UNLESS_OTHERS_WORK); // distant deadlines are not reached
    outside(service -> {
      Future<?> never = service.schedule(TaskExecutorTest::never, 1, TimeUnit.DAYS);
      Callable<Boolean> blocking =
          () -> {
            assertThrows(IllegalStateException.class, never::get);
            assertThrows(IllegalStateException.class, () -> service.invokeAll(List.of()));
            assertThrows(IllegalStateException.class, service::close);
            var thrown =
                assertThrows(
                    IllegalStateException.class,
                    () -> service.awaitTermination(1, TimeUnit.SECONDS));
            return thrown.getMessage().contains("await");
          };
      assertTrue(service.submit(blocking).get());
      never.cancel(false);
    });
  }

  @Test
  void anApplication_thatStops_leavesNoFutureWithoutAnEnd() {
    var kept = new ArrayList<Future<?>>();
    var services = new ArrayList<ListeningScheduledExecutorService>();
    Application.builder()
        .backend(backend)
        .clock(clock)
        .bare()
        .run(app -> {
          services.add(app.newExecutorService());
          kept.add(services.getFirst().submit(TaskExecutorTest::never));
          kept.add(services.getFirst().schedule(() -> {}, 1, TimeUnit.DAYS));
          app.yield();
          app.yield();
          kept.add(services.getFirst().submit(() -> {}));
          app.stop();
        });
    assertTrue(kept.stream().allMatch(Future::isDone), kept::toString);
    assertTrue(services.getFirst().isTerminated());
    assertThrows(RejectedExecutionException.class, () -> services.getFirst().execute(() -> {}));
  }

  @Test
  void anOrderlyStop_shutsItDownAndLetsItFinish() {
    outside(service -> {
      Future<String> running = service.submit(sleeping("done", 3));
      service
          .submit(
              () -> Application.current().shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1)))
          .get();
      assertEquals("done", running.get());
    });
    assertEquals(List.of("done@3"), log);
  }
}
