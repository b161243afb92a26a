package dev.rondo.observe.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

final class OpeningsTest {

  private final Openings openings = new Openings();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  private Runnable made(String name) {
    return () -> events.add(name + " closed");
  }

  @Test
  void close_whatIsOpen_isClosedOnce() {
    openings.open(() -> made("a"));
    openings.open(() -> made("b"));

    openings.close();
    openings.close();

    assertEquals(List.of("a closed", "b closed"), List.copyOf(events));
  }

  @Test
  void open_closed_isNotCalled() {
    openings.close();

    openings.open(() -> {
      throw new AssertionError("opened");
    });
  }

  @Test
  void open_fails_leavesTheOthersOpen() {
    openings.open(() -> made("a"));

    assertThrows(
        IllegalStateException.class,
        () ->
            openings.open(() -> {
              throw new IllegalStateException("no such module");
            }));

    openings.close();
    assertEquals(List.of("a closed"), List.copyOf(events));
  }

  @Test
  @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD) // a lock cannot be interrupted
  void close_whileOneOpens_doesNotWaitForIt() throws InterruptedException {
    var mayOpen = new CountDownLatch(1);
    Thread opener =
        Thread.ofPlatform()
            .start(() ->
                openings.open(() -> {
                  events.add("opening");
                  awaitQuietly(mayOpen);
                  return made("late");
                }));
    assertEquals("opening", events.take());

    openings.close(); // for ever if it waited: the other thread waits for what comes below
    mayOpen.countDown();

    assertEquals("late closed", events.take());
    opener.join();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
