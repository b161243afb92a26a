package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Many tasks at once, each with one operation after another, while tasks are cancelled and
/// channels closed. Each sent element is received once, or dropped and counted, or returned by
/// `cancel`. No other element is received. A receiver gets the elements of one sender in the order
/// in which they were sent.
final class ChannelStormTest extends SchedulerTest {

  private static final int STORMS = 15;
  private static final int TASKS = 12;
  private static final int OPERATIONS = 25;
  private static final int DISTURBANCES = 60;

  /// An element: its sender, and its number there.
  private record Item(int sender, int number) {}

  /// A delivery: through which channel to which task.
  private record Way(Channel<Item> channel, Task<?> receiver) {}

  private Random random;
  private List<Channel<Item>> channels;
  private final List<Item> sent = new ArrayList<>();
  private final Map<Way, List<Item>> received = new HashMap<>();
  private final List<Item> discarded = new ArrayList<>();
  private final StringBuilder happened = new StringBuilder();

  private Channel<Item> any() {
    return channels.get(random.nextInt(channels.size()));
  }

  private Duration soon() {
    return Duration.ofMillis(random.nextInt(20));
  }

  private void sent(Item item) {
    sent.add(item);
    happened.append('+').append(item.sender).append('.').append(item.number);
  }

  private void received(Channel<Item> channel, Item item) {
    var way = new Way(channel, scheduler.currentTask());
    received.computeIfAbsent(way, key -> new ArrayList<>()).add(item);
    happened.append('-').append(item.sender).append('.').append(item.number);
  }

  /// One operation of a task.
  private void operate(int self, int number) throws Exception {
    var item = new Item(self, number);
    Channel<Item> channel = any();
    Channel<Item> other = any();
    try {
      switch (random.nextInt(9)) {
        case 0 -> {
          channel.send(item);
          sent(item);
        }
        case 1 -> {
          channel.send(item, soon());
          sent(item);
        }
        case 2 -> {
          if (channel.trySend(item)) {
            sent(item);
          }
        }
        case 3 -> received(channel, channel.receive());
        case 4 -> received(channel, channel.receive(soon()));
        case 5 -> {
          Item got = channel.tryReceive();
          if (got != null) {
            received(channel, got);
          }
        }
        case 6 ->
            Select.fair(random)
                .on(channel.sending(item), done -> sent(item))
                .on(other.receiving(), got -> received(other, got))
                .on(channel.receiving(), got -> received(channel, got))
                .run();
        case 7 ->
            Select.biased()
                .on(other.receiving(), got -> received(other, got))
                .on(channel.sending(item), done -> sent(item))
                .after(soon(), () -> {})
                .run();
        default ->
            Select.fair(random)
                .on(channel.receiving(), got -> received(channel, got))
                .on(other.sending(item), done -> sent(item))
                .otherwise(scheduler::yield)
                .run();
      }
    } catch (TimedOutException | ClosedException e) {
      happened.append('!');
      scheduler.yield();
    }
  }

  private void storm(String name) {
    sent.clear();
    received.clear();
    discarded.clear();
    happened.append('\n');
    channels =
        List.of(
            Channel.rendezvous(scheduler),
            Channel.bounded(scheduler, 1),
            Channel.bounded(scheduler, 3),
            Channel.unbounded(scheduler),
            Channel.bounded(scheduler, 1, Overflow.DROP_OLDEST),
            Channel.bounded(scheduler, 2, Overflow.DROP_LATEST));
    List<Task<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      int self = i;
      tasks.add(
          scheduler.spawn(() -> {
            for (int number = 0; number < OPERATIONS; number++) {
              operate(self, number);
            }
          }));
    }
    scheduler.spawn(
        "storm",
        () -> {
          for (int i = 0; i < DISTURBANCES; i++) {
            switch (random.nextInt(12)) {
              case 0 -> tasks.get(random.nextInt(TASKS)).cancel("chance");
              case 1 -> discarded.addAll(any().cancel());
              case 2 -> any().close();
              case 3, 4, 5 -> scheduler.await(Delay.of(soon()));
              default -> scheduler.yield();
            }
          }
        });
    drive();
    while (scheduler.tasks().stream().anyMatch(task -> !task.isDaemon())) {
      time.advance(Duration.ofMillis(1));
      drive();
      if (time.alarms() == 0) {
        tasks.forEach(task -> task.cancel("the end"));
      }
    }
    for (Channel<Item> each : channels) {
      assertEquals(0, each.waitingSenderCount(), Seeds::hint);
      assertEquals(0, each.waitingReceiverCount(), Seeds::hint);
      discarded.addAll(each.cancel());
    }
    assertConserved(name);
  }

  private void assertConserved(String name) {
    List<Item> out = new ArrayList<>(discarded);
    received.values().forEach(out::addAll);
    assertEquals(out.size(), out.stream().distinct().count(), () -> "doubled, " + Seeds.hint());
    assertTrue(sent.containsAll(out), () -> "out of nowhere, " + Seeds.hint());
    long dropped = channels.stream().mapToLong(Channel::dropped).sum();
    assertEquals(sent.size(), out.size() + dropped, () -> "lost, " + Seeds.hint());
    for (List<Item> each : received.values()) {
      for (int sender = 0; sender < TASKS; sender++) {
        int from = sender;
        List<Integer> numbers =
            each.stream().filter(item -> item.sender == from).map(Item::number).toList();
        assertEquals(numbers.stream().sorted().toList(), numbers, () -> name + Seeds.hint());
      }
    }
  }

  @Test
  void anyMixOfTasks_elementsAreConserved() {
    random = Seeds.random("storm");
    for (int i = 0; i < STORMS; i++) {
      storm("storm " + i + ", ");
    }
    Seeds.assertSameTrace("storm", happened.toString());
  }
}
