package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tasks that do not end when their scheduler closes: where they are reported.
@BackendsDiffer
class AbandonedTest extends SchedulerTest {

  private Scheduler own;

  @BeforeEach
  void open() {
    own = newScheduler();
  }

  private Task<Object> shielded() {
    Task<Object> task = own.spawn("shielded", () -> own.shielded(() -> own.suspend()));
    own.step();
    return task;
  }

  private Throwable onlyReport() {
    List<Throwable> told = takeFailures();
    assertEquals(1, told.size(), told::toString);
    return told.getFirst();
  }

  @Test
  void close_shieldedTask_isNotBlamedForItsCancellation() {
    shielded();
    own.close();
    var told = assertInstanceOf(TaskAbandonedException.class, onlyReport());
    assertEquals(
        "task 'shielded' (SUSPENDED) was abandoned when the scheduler closed: it did not end after"
            + " its cancellation, which the shielded code that it runs does not receive",
        told.getMessage());
    assertTrue(
        Stream.of(told.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(AbandonedTest.class.getName())));
  }

  @Test
  void close_taskThatWaits_tellsForWhat() {
    var event = new WaitQueueEvent();
    own.spawn("waiting", () -> own.shielded(() -> own.await(event)));
    own.step();
    own.close();
    String message = onlyReport().getMessage();
    assertTrue(message.endsWith("; it waits for " + event), message);
  }

  @Test
  void stop_timeIsUp_tellsThatItWas() {
    shielded();
    var end = own.shutdown(Duration.ZERO, Duration.ZERO);
    own.start();
    assertEquals(1, end.join().size());
    assertEquals(
        "task 'shielded' (SUSPENDED) was abandoned when the scheduler stopped: it did not end in"
            + " its time to clean up after its cancellation, which the shielded code that it runs"
            + " does not receive",
        onlyReport().getMessage());
  }

  @Test
  void close_threadsThatWait_areTold() throws Exception {
    Task<Object> task = shielded();
    var joining = new FutureTask<Object>(task::join);
    var getting = new FutureTask<Object>(task::get);
    for (var each : List.of(joining, getting)) {
      Thread thread = Thread.ofVirtual().start(each);
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    var future = task.toCompletableFuture();
    task.addListener(() -> trace("told"), Runnable::run);
    own.close();
    Throwable told = onlyReport();
    assertTrace("told");
    assertSame(told, assertThrows(CompletionException.class, future::join).getCause());
    Throwable failed =
        assertThrows(ExecutionException.class, () -> joining.get(1, TimeUnit.MINUTES)).getCause();
    assertSame(told, assertInstanceOf(TaskFailedException.class, failed).getCause());
    Throwable got =
        assertThrows(ExecutionException.class, () -> getting.get(1, TimeUnit.MINUTES)).getCause();
    assertSame(told, assertInstanceOf(ExecutionException.class, got).getCause());
    assertTrue(task.isDone());
    assertFalse(task.isCancelled());
    assertEquals(TaskState.FAILED, task.taskState());
    assertFalse(task.cancel("once more"));
    assertFalse(elsewhere(() -> task.cancel("once more")));
  }

  @Test
  void closeAfterAStop_threadsThatWait_areToldAndTheHandlerIsNotAgain() {
    Task<Object> task = shielded();
    var end = own.shutdown(Duration.ZERO, Duration.ZERO);
    own.start();
    onlyReport();
    assertFalse(task.isDone());
    own.close();
    assertEquals(List.of("shielded"), end.join().stream().map(TaskInfo::name).toList());
    assertInstanceOf(
        TaskAbandonedException.class,
        assertThrows(TaskFailedException.class, task::join).getCause());
  }

  @Test
  void stop_commandsThatHaveNotBegun_areOneReport() {
    own.spawn(
        "cleaning",
        () -> {
          try {
            own.suspend();
          } finally {
            for (int i = 0; i < 1_000; i++) {
              own.execute(() -> {});
            }
            own.shielded(() -> own.suspend());
          }
        });
    own.step();
    var _ = own.shutdown(Duration.ZERO, Duration.ZERO);
    own.start();
    List<Throwable> told = takeFailures();
    assertEquals(2, told.size());
    assertTrue(told.getFirst().getMessage().startsWith("task 'cleaning' "), told::toString);
    String message = assertInstanceOf(TaskAbandonedException.class, told.getLast()).getMessage();
    assertTrue(message.startsWith("task 'execute "), message);
    assertTrue(
        message.endsWith(
            "' (READY), and 999 more that had not begun, was abandoned when the scheduler stopped:"
                + " it did not end in its time to clean up"),
        message);
    own.close();
    assertEquals(List.of(), takeFailures());
  }

  @Test
  void close_listenerFails_theOthersAreTold() {
    Task<Object> first = shielded();
    Task<Object> second = own.spawn("second", () -> own.shielded(() -> own.suspend()));
    own.step();
    var failure = new IllegalStateException("listener");
    first.addListener(
        () -> {
          throw failure;
        },
        Runnable::run);
    own.close();
    assertTrue(second.isDone());
    List<Throwable> told = takeFailures();
    assertEquals(3, told.size());
    assertTrue(told.contains(failure));
  }

  @Test
  void close_loopFails_threadsThatWaitAreToldAllTheSame() {
    boolean[] fails = {false};
    SchedulingPolicy sound = SchedulingPolicies.roundRobin();
    Scheduler broken =
        configured()
            .policy(() ->
                new SchedulingPolicy() {
                  @Override
                  public void add(Task<?> task) {
                    sound.add(task);
                  }

                  @Override
                  public void addFirst(Task<?> task) {
                    sound.addFirst(task);
                  }

                  @Override
                  public void remove(Task<?> task) {
                    sound.remove(task);
                  }

                  @Override
                  public Task<?> next() {
                    if (fails[0]) {
                      throw new IllegalStateException("policy");
                    }
                    return sound.next();
                  }
                })
            .build();
    Task<Object> task = broken.spawn("left", () -> broken.suspend());
    broken.step();
    fails[0] = true;
    assertThrows(IllegalStateException.class, broken::close);
    assertSame(onlyReport(), assertThrows(TaskFailedException.class, task::join).getCause());
  }

  @Test
  void defaultHandler_abandonedTask_isNotSaidToHaveFailed() {
    try (var log = new CapturedLog()) {
      Scheduler quiet = Scheduler.builder().backend(backend).build();
      quiet.spawn("shielded", () -> quiet.shielded(() -> quiet.suspend()));
      quiet.step();
      quiet.close();
      assertEquals(List.of("ERROR task 'shielded' (SUSPENDED) was abandoned"), log.lines());
    }
  }
}
