package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Waitable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Producers, relays and consumers on several schedulers, which exchange messages in every way
/// there is, and cancel each other's attempts. Each message must arrive once, and what one task
/// sends to an endpoint must arrive at each receiver in order.
///
/// Producers send to the front endpoints. A relay selects over both sides: it receives from the
/// front while it sends to the back. Consumers receive from the back.
final class Storm {

  /// A message.
  ///
  /// @param id unique
  /// @param stamp its sender and receiver, and how many came before
  record Message(int id, Stamp stamp) {}

  /// How far a sender has come at an endpoint.
  record Stamp(int sender, int endpoint, int count) {}

  private static final int[] CAPACITIES = {0, 0, 1, 5};

  private final int sides;
  private final int messagesOfEach;
  private final LongFunction<RandomGenerator> randoms;
  private final List<Endpoint<Message>> front = endpoints("front");
  private final List<Endpoint<Message>> back = endpoints("back");
  private final AtomicInteger producersLeft;
  private final AtomicInteger relaysLeft;
  private final ConcurrentLinkedQueue<List<Message>> received = new ConcurrentLinkedQueue<>();

  /// @param sides how many producers, relays and consumers there are each
  /// @param messagesOfEach how many each producer sends
  /// @param randoms makes what a task draws its choices from, by the task's number
  Storm(int sides, int messagesOfEach, LongFunction<RandomGenerator> randoms) {
    this.sides = sides;
    this.messagesOfEach = messagesOfEach;
    this.randoms = randoms;
    this.producersLeft = new AtomicInteger(sides);
    this.relaysLeft = new AtomicInteger(sides);
  }

  private static List<Endpoint<Message>> endpoints(String name) {
    var all = new ArrayList<Endpoint<Message>>();
    for (int capacity : CAPACITIES) {
      all.add(new Endpoint<>(name + all.size(), capacity));
    }
    return all;
  }

  /// Starts one side, on its scheduler.
  void begin(int side) {
    Scheduler scheduler = Scheduler.current();
    scheduler.spawn("producer" + side, () -> new Producer(scheduler, side).run());
    scheduler.spawn("relay" + side, () -> new Relay(scheduler, side).run());
    scheduler.spawn("consumer" + side, () -> received.add(new Consumer(scheduler, side).run()));
  }

  /// Called when all have ended.
  void check() {
    var seen = new BitSet();
    int count = 0;
    for (List<Message> each : received) {
      for (Message message : each) {
        assertTrue(!seen.get(message.id), () -> "received twice: " + message);
        seen.set(message.id);
        count++;
      }
    }
    assertEquals(sides * messagesOfEach, count, "received");
    for (Endpoint<Message> each : front) {
      assertEquals(0, each.waitingSenderCount() + each.waitingReceiverCount() + each.size());
    }
  }

  /// One of the tasks.
  private abstract class Side {

    final Scheduler scheduler;
    final RandomGenerator random;
    final int number;
    private final int[] sentTo = new int[CAPACITIES.length];
    private final int[][] seenFrom;

    Side(Scheduler scheduler, int number, int kind) {
      this.scheduler = scheduler;
      this.random = randoms.apply(number * 3L + kind);
      this.number = number;
      this.seenFrom = new int[sides][CAPACITIES.length];
    }

    final int any() {
      return random.nextInt(CAPACITIES.length);
    }

    final Message stamped(Message message, int endpoint) {
      return new Message(message.id, new Stamp(number, endpoint, sentTo[endpoint] + 1));
    }

    final void sent(int endpoint) {
      sentTo[endpoint]++;
    }

    /// Messages of one sender at one endpoint come in order, though others may get some of them.
    final void checkOrder(Message message) {
      Stamp stamp = message.stamp;
      int before = seenFrom[stamp.sender][stamp.endpoint];
      assertTrue(before < stamp.count, () -> message + " after number " + before);
      seenFrom[stamp.sender][stamp.endpoint] = stamp.count;
    }

    final void pause() {
      for (int i = random.nextInt(4); i > 0; i--) {
        scheduler.yield();
      }
    }

    /// Runs an attempt in a task that is cancelled soon.
    ///
    /// @return what it resulted in; null if it was cancelled
    final <V> @Nullable V cancelled(Waitable<V> event) {
      return cancelled(() -> scheduler.await(event));
    }

    final <V> @Nullable V cancelled(TaskCall<V, ?> code) {
      Task<V> attempt = scheduler.spawn(code);
      pause();
      attempt.cancel("chance");
      try {
        return attempt.join();
      } catch (CancellationException e) {
        return null;
      }
    }
  }

  private final class Producer extends Side {

    Producer(Scheduler scheduler, int number) {
      super(scheduler, number, 0);
    }

    void run() {
      for (int i = 0; i < messagesOfEach; i++) {
        var message = new Message(number * messagesOfEach + i, new Stamp(0, 0, 0));
        while (!send(message)) {
          scheduler.yield();
        }
      }
      if (producersLeft.decrementAndGet() == 0) {
        front.forEach(Endpoint::close);
      }
    }

    private boolean send(Message message) {
      int to = any();
      int other = any();
      Message stamped = stamped(message, to);
      Endpoint<Message> endpoint = front.get(to);
      boolean done = true;
      switch (random.nextInt(5)) {
        case 0, 1 -> endpoint.send(stamped);
        case 2 -> done = endpoint.trySend(stamped);
        case 3 -> {
          var events =
              List.of(
                  endpoint.sending(stamped).map(sent -> to),
                  front.get(other).sending(stamped(message, other)).map(sent -> other));
          sent(scheduler.await(Waitable.anyOf(events)));
          return true;
        }
        default -> done = cancelled(endpoint.sending(stamped).map(sent -> true)) != null;
      }
      if (done) {
        sent(to);
      }
      return done;
    }
  }

  private final class Relay extends Side {

    private final ArrayDeque<Message> pending = new ArrayDeque<>();

    Relay(Scheduler scheduler, int number) {
      super(scheduler, number, 1);
    }

    void run() {
      var open = new ArrayList<>(front);
      while (!open.isEmpty() || !pending.isEmpty()) {
        int to = any();
        Message next = pending.peek();
        var events = new ArrayList<Waitable<Runnable>>();
        if (next != null) {
          events.add(
              back.get(to)
                  .sending(stamped(next, to))
                  .map(sent ->
                      () -> {
                        sent(to);
                        pending.remove();
                      }));
        }
        for (Endpoint<Message> each :
            pending.size() < 3 ? List.copyOf(open) : List.<Endpoint<Message>>of()) {
          events.add(each.receivingOrEnd().map(got -> () -> received(each, got, open)));
        }
        Collections.shuffle(events, random);
        scheduler.await(Waitable.anyOf(events)).run();
      }
      if (relaysLeft.decrementAndGet() == 0) {
        back.forEach(Endpoint::close);
      }
    }

    private void received(
        Endpoint<Message> from, Optional<Message> got, List<Endpoint<Message>> open) {
      got.ifPresentOrElse(
          message -> {
            checkOrder(message);
            pending.add(message);
          },
          () -> open.remove(from));
    }
  }

  private final class Consumer extends Side {

    private final List<Message> got = new ArrayList<>();
    private final List<Endpoint<Message>> open = new ArrayList<>(back);

    Consumer(Scheduler scheduler, int number) {
      super(scheduler, number, 2);
    }

    List<Message> run() {
      while (!open.isEmpty()) {
        Endpoint<Message> from = open.get(random.nextInt(open.size()));
        switch (random.nextInt(4)) {
          case 0, 1 -> all();
          case 2 -> some(from);
          default -> {
            Optional<Message> message = cancelled(from.receivingOrEnd());
            if (message != null && message.isEmpty()) {
              open.remove(from);
            } else if (message != null) {
              take(message.get());
            }
          }
        }
      }
      return got;
    }

    /// Selects over all that are open.
    private void all() {
      var events = new ArrayList<Waitable<Runnable>>();
      for (Endpoint<Message> each : List.copyOf(open)) {
        events.add(
            each.receivingOrEnd()
                .map(
                    message -> () -> message.ifPresentOrElse(this::take, () -> open.remove(each))));
      }
      scheduler.await(Waitable.anyOf(events)).run();
    }

    private void some(Endpoint<Message> from) {
      Runnable outcome = cancelled(() -> someOrEnd(from));
      if (outcome != null) {
        outcome.run();
      }
    }

    /// Receives in a task of its own.
    private Runnable someOrEnd(Endpoint<Message> from) {
      try {
        List<Message> some = from.receiveSome(3);
        return () -> some.forEach(this::take);
      } catch (ClosedException e) {
        return () -> open.remove(from);
      }
    }

    private void take(Message message) {
      checkOrder(message);
      got.add(message);
    }
  }
}
