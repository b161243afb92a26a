package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// One select over a socket, a timer, channels in both directions, locks, a promise, a signal, a
/// join and a custom `Waitable`: whichever wins, the others lose nothing and keep nothing.
@EveryBackend
final class SelectEverythingTest {

  private static final int ROUNDS = 300;
  private static final long SEED = 20261120;

  /// The delay of the timer branch: longer than any round with another winner.
  private static final Duration PATIENCE = Duration.ofHours(1);

  private static final int SOCKET = 0;
  private static final int TIMER = 1;
  private static final int RECEIVE = 2;
  private static final int SEND = 3;
  private static final int MUTEX = 4;
  private static final int PERMIT = 5;
  private static final int JOIN = 6;
  private static final int BOX = 7;
  private static final int EVENTS = 8;

  @Parameter(0)
  CoroutineBackend backend;

  /// A custom event that delivers the value that was put in.
  private static final class Box implements Waitable<Integer> {

    private final WaitQueue<Integer> waiting = new WaitQueue<>();
    private int content;

    void put() {
      if (!waiting.fireFirst(1)) {
        content++;
      }
    }

    @Override
    public boolean poll(Waiter<? super Integer> waiter) {
      if (content > 0 && waiter.fire(1)) {
        content--;
        return true;
      }
      return false;
    }

    @Override
    public void arm(Waiter<? super Integer> waiter) {
      if (!poll(waiter)) {
        waiting.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Integer> waiter) {
      waiting.remove(waiter);
    }
  }

  private final VirtualClock clock = new VirtualClock();
  private final Random random = new Random(SEED);
  private final int[] given = new int[EVENTS];
  private final int[] taken = new int[EVENTS];
  private int timers;

  private Application app;
  private Channel<Integer> incoming;
  private Channel<Integer> outgoing;
  private Mutex mutex;
  private Semaphore permits;
  private Box box;
  private TcpSocket near;
  private TcpSocket far;
  private Promise<Integer> promise;
  private Task<Integer> joined;

  @Test
  void select_eventsInRandomOrderOnEveryKindOfBranch_losesNoneAndKeepsNothing() throws Exception {
    ApplicationBuilder builder = Application.builder().backend(backend).clock(clock).bare();
    try (var own = builder.build()) {
      app = own;
      own.start(main -> {
        try (var listener = own.listen(0);
            var client = own.connect("127.0.0.1", listener.port());
            var server = listener.accept()) {
          far = client;
          near = server;
          open();
          play();
        }
      });
    }
  }

  private void open() {
    Scheduler scheduler = app.scheduler();
    incoming = Channel.unbounded(scheduler);
    outgoing = Channel.rendezvous(scheduler);
    mutex = new Mutex(scheduler, "mutex");
    permits = new Semaphore(scheduler, "permits", 0);
    box = new Box();
    newJoined();
  }

  private void newJoined() {
    promise = new Promise<>(app.scheduler(), "end");
    Promise<Integer> end = promise;
    joined = app.spawn(() -> app.await(end));
  }

  private void play() throws Exception {
    var held = mutex.lock();
    Task<Void> selecting =
        app.spawn(
            "selecting",
            () -> {
              while (true) {
                selectOnce();
              }
            });
    for (int round = 0; round < ROUNDS; round++) {
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        int event = random.nextInt(EVENTS);
        if (event == MUTEX) {
          held.close(); // hands the lock over to a waiter, if there is one
          given[MUTEX] += mutex.isLocked() ? 1 : 0;
          held = mutex.lock();
        } else {
          give(event);
        }
        for (int yields = random.nextInt(3); yields > 0; yields--) {
          app.yield();
        }
      }
      app.waitFor(() -> Arrays.equals(given, taken));
    }
    selecting.cancel("over");
    promise.fulfill(0);
    app.yield();
    held.close();
    assertTrue(selecting.isDone());
    assertNothingIsKept();
  }

  /// Causes one event.
  private void give(int event) throws Exception {
    switch (event) {
      case SOCKET -> far.write(ByteBuffer.wrap(new byte[] {1}));
      case TIMER -> clock.skip(PATIENCE);
      case RECEIVE -> incoming.send(1);
      case SEND -> taken[SEND] += outgoing.receive();
      case PERMIT -> permits.release(1);
      case JOIN -> {
        if (!promise.fulfill(1)) {
          return; // the previous event has not been seen yet
        }
      }
      case BOX -> box.put();
      default -> throw new AssertionError(event);
    }
    if (event != SEND && event != TIMER) {
      given[event]++;
    }
  }

  private void selectOnce() throws Exception {
    Select.fair(random)
        .on(near.readable(), ready -> taken[SOCKET] += near.read(ByteBuffer.allocate(1)))
        .on(app.time().after(PATIENCE), nothing -> timers++)
        .on(incoming.receiving(), one -> taken[RECEIVE] += one)
        .on(outgoing.sending(1), sent -> given[SEND]++)
        .on(
            mutex,
            now -> {
              taken[MUTEX]++;
              now.close();
            })
        .on(permits, permit -> taken[PERMIT]++)
        .on(
            joined,
            one -> {
              taken[JOIN] += one;
              newJoined();
            })
        .on(box, one -> taken[BOX] += one)
        .run();
  }

  private void assertNothingIsKept() {
    assertEquals(0, app.time().waiterCount());
    assertEquals(0, ChannelFigures.of(app.scheduler()).waits());
    assertTrue(incoming.trySend(1));
    assertEquals(1, incoming.size()); // so no task waits to receive
    assertEquals(0, permits.available());
    assertTrue(box.waiting.isEmpty());
    assertFalse(mutex.isLocked());
    assertTrue(Arrays.stream(taken).filter(count -> count == 0).count() <= 1); // the timer's
    assertTrue(timers > 0);
  }
}
