package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/// Results that arrive when no task waits for them any more. docs/inside/semantics.md, rule 42.
class DroppedResultTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Says what was done with results, on any thread.
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private final class Resource implements AutoCloseable {

    @Override
    public void close() {
      done.add(Thread.interrupted() ? "closed by an interrupted thread" : "closed");
    }
  }

  /// As a call of a driver that takes no notice of an interrupt.
  private <T> T late(T result) {
    begun.countDown();
    awaitReleased();
    return result;
  }

  private void awaitReleased() {
    boolean interrupted = false;
    while (true) {
      try {
        released.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Task<Resource> begunCall() throws InterruptedException {
    Task<Resource> task =
        scheduler.spawn("user", () -> scheduler.blocking(() -> late(new Resource())));
    drive();
    begun.await();
    return task;
  }

  @Test
  void blocking_taskCancelled_closesTheResult() throws Exception {
    Task<Resource> task = begunCall();
    task.cancel("gone");
    drive();
    assertTrue(task.isCancelled());
    released.countDown();
    assertEquals("closed", done.take());
  }

  @Test
  void blocking_scheduledDirectly_closesTheResult() throws Exception {
    Task<Resource> task = begunCall();
    scheduler.scheduleTask(task, "a value");
    drive();
    var failure = (ScheduledDirectlyException) task.exceptionNow();
    assertEquals("a value", failure.value());
    released.countDown();
    assertEquals("closed", done.take());
    assertSame(failure, takeReported().getFirst().failure());
  }

  @Test
  void blocking_timeIsUp_closesTheResult() throws Exception {
    Task<?> task =
        scheduler.spawn(() ->
            assertThrows(
                TimedOutException.class,
                () ->
                    scheduler.within(
                        SECOND,
                        () -> {
                          try (Resource _ = scheduler.blocking(() -> late(new Resource()))) {
                            trace("opened");
                          }
                        })));
    drive();
    begun.await();
    time.advance(SECOND);
    drive();
    assertTrue(task.isDone());
    released.countDown();
    assertEquals("closed", done.take());
  }

  @Test
  void blocking_schedulerCloses_closesTheResult() throws Exception {
    Task<Resource> task = begunCall();
    scheduler.close();
    assertTrue(task.isCancelled());
    released.countDown();
    assertEquals("closed", done.take());
  }

  @Test
  void blocking_closeOfTheResultFails_isReported() throws Exception {
    var failure = new IllegalStateException("on purpose");
    var closer = new CompletableFuture<Thread>();
    AutoCloseable broken =
        () -> {
          closer.complete(Thread.currentThread());
          throw failure;
        };
    Task<AutoCloseable> task =
        scheduler.spawn("user", () -> scheduler.blocking(() -> late(broken)));
    drive();
    begun.await();
    task.cancel("gone");
    drive();
    released.countDown();
    closer.join().join();
    drive();
    assertEquals(
        List.of(new Reported("the late result of blocking call of task 'user'", failure)),
        takeReported());
  }

  @Test
  void blocking_delivered_isNotClosed() {
    released.countDown();
    runTask(() -> {
      try (Resource _ = scheduler.blocking(() -> late(new Resource()))) {
        assertEquals(List.of(), List.copyOf(done));
      }
      assertEquals(List.of("closed"), List.copyOf(done));
    });
  }

  @Test
  void blocking_handlerGiven_receivesWhatComesTooLate() throws Exception {
    Task<String> task =
        scheduler.spawn(
            "user", () -> scheduler.blocking(() -> late("a process"), late -> done.add(late)));
    drive();
    begun.await();
    task.cancel("gone");
    drive();
    released.countDown();
    assertEquals("a process", done.take());
  }

  @Test
  void blocking_handlerGiven_receivesNothingThatIsDelivered() {
    runTask(() -> assertEquals("mine", scheduler.blocking(() -> "mine", late -> done.add(late))));
    assertEquals(List.of(), List.copyOf(done));
  }

  /// The call has returned, and the loop does not know it yet.
  @Test
  void blocking_taskCancelledBeforeTheDelivery_closesTheResult() throws Exception {
    var caller = new CompletableFuture<Thread>();
    Task<Resource> task =
        scheduler.spawn(
            "user",
            () ->
                scheduler.blocking(() -> {
                  caller.complete(Thread.currentThread());
                  return new Resource();
                }));
    scheduler.step();
    caller.join().join();
    task.cancel("gone");
    drive();
    assertTrue(task.isCancelled());
    assertEquals("closed", done.take());
  }

  // Futures.

  private final CompletableFuture<Resource> future = new CompletableFuture<>();

  private void giveUp(Waitable<Resource> wait) {
    Task<Resource> task = scheduler.spawn("user", () -> scheduler.await(wait));
    drive();
    task.cancel("gone");
    drive();
    assertTrue(task.isCancelled());
  }

  @Test
  void completion_givenUp_leavesTheResultToOthers() {
    giveUp(scheduler.completion(future));
    var resource = new Resource();
    future.complete(resource);
    runTask(() -> assertSame(resource, scheduler.await(scheduler.completion(future))));
    assertEquals(List.of(), List.copyOf(done));
  }

  @Test
  void completion_handlerGiven_receivesWhatComesTooLate() throws Exception {
    giveUp(scheduler.completion(future, Resource::close));
    future.complete(new Resource());
    drive();
    assertEquals("closed", done.take());
  }

  @Test
  void completion_handlerGivenAndSchedulerClosed_receivesWhatComesTooLate() throws Exception {
    giveUp(scheduler.completion(future, Resource::close));
    scheduler.close();
    future.complete(new Resource());
    assertEquals("closed", done.take());
  }

  @Test
  void completion_handlerGiven_receivesNoFailure() {
    giveUp(scheduler.completion(future, Resource::close));
    future.completeExceptionally(new IllegalStateException("on purpose"));
    drive();
    assertEquals(List.of(), List.copyOf(done));
  }

  @Test
  void completion_handlerGiven_receivesTheLateResultOfAPlainFuture() throws Exception {
    var plain = new FutureTask<>(Resource::new);
    var received = new CompletableFuture<Resource>();
    giveUp(scheduler.completion(plain, received::complete));
    plain.run();
    runTask(() -> scheduler.await(scheduler.completion(received)));
    assertSame(plain.resultNow(), received.join());
  }

  @Test
  void cancelling_futureSucceedsAllTheSame_closesTheResult() throws Exception {
    var stubborn =
        new CompletableFuture<Resource>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
    giveUp(Waitable.cancelling(stubborn));
    stubborn.complete(new Resource());
    drive();
    assertEquals("closed", done.take());
  }
}
