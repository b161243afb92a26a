package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Channels against a model: random operations, one after the other, with the same outcome for
/// every task at every step.
final class ChannelModelTest extends SchedulerTest {

  private static final int CHANNELS = 12;
  private static final int OPERATIONS = 80;
  private static final int LONGEST_TIMEOUT_MILLIS = 50;

  private Random random;
  private Channel<Integer> channel;
  private ChannelModel model;
  private final Map<Integer, Task<?>> tasks = new TreeMap<>();
  private final Map<Integer, String> outcomes = new TreeMap<>();
  private int lastTask;

  private void check(String kind, Channel<Integer> fresh, int capacity, Overflow overflow) {
    channel = fresh;
    model = new ChannelModel(capacity, overflow);
    tasks.clear();
    outcomes.clear();
    for (int i = 0; i < OPERATIONS; i++) {
      String operation = operate();
      drive();
      assertEquals(model.state(), state(), () -> operation + " of a " + kind + ", " + Seeds.hint());
    }
    channel.cancel();
    model.cancel();
    drive();
    assertEquals(model.state(), state(), Seeds::hint);
  }

  private String state() {
    return "%d in the buffer, %d dropped, %d sending, %d receiving, %s"
        .formatted(
            channel.size(),
            channel.dropped(),
            channel.waitingSenderCount(),
            channel.waitingReceiverCount(),
            outcomes);
  }

  /// Applies an operation to the channel and to the model.
  private String operate() {
    int task = ++lastTask;
    boolean limited = random.nextInt(4) == 0;
    Duration limit = Duration.ofMillis(1 + random.nextInt(LONGEST_TIMEOUT_MILLIS));
    long deadline = limited ? time.elapsed().plus(limit).toMillis() : Long.MAX_VALUE;
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> {
        model.send(task, task, deadline);
        spawn(
            task,
            () -> {
              if (limited) {
                channel.send(task, limit);
              } else {
                channel.send(task);
              }
              outcomes.put(task, "sent " + task);
            });
        yield "send";
      }
      case 5, 6, 7, 8 -> {
        model.receive(task, deadline);
        spawn(
            task,
            () ->
                outcomes.put(
                    task, "got " + (limited ? channel.receive(limit) : channel.receive())));
        yield "receive";
      }
      case 9, 10 -> {
        model.receiveOrSend(task, task, deadline);
        Select select = receiveOrSend(task);
        spawn(
            task,
            () -> {
              if (limited) {
                select.after(limit, () -> outcomes.put(task, "timed out"));
              }
              select.run();
            });
        yield "select";
      }
      case 11 -> {
        boolean sends = random.nextBoolean();
        if (sends) {
          model.sendNow(task, task);
        } else {
          model.receiveNow(task);
        }
        spawn(task, sends ? () -> sendNow(task) : () -> receiveNow(task));
        yield sends ? "trySend" : "tryReceive";
      }
      case 12 -> {
        if (random.nextBoolean()) {
          model.sendNow(task, task);
          spawn(
              task,
              () ->
                  Select.biased()
                      .on(channel.sending(task), sent -> outcomes.put(task, "sent " + task))
                      .otherwise(() -> outcomes.put(task, "not now"))
                      .run());
        } else {
          model.receiveNow(task);
          spawn(
              task,
              () ->
                  Select.biased()
                      .on(channel.receiving(), got -> outcomes.put(task, "got " + got))
                      .otherwise(() -> outcomes.put(task, "not now"))
                      .run());
        }
        yield "select with a default";
      }
      case 13, 14, 15 -> {
        Integer victim = model.waitingTask(random.nextInt(100));
        if (victim != null) {
          model.cancelTask(victim);
          tasks.get(victim).cancel("chance");
        }
        yield "cancelling a task";
      }
      case 16, 17, 18 -> {
        Duration by = Duration.ofMillis(random.nextInt(LONGEST_TIMEOUT_MILLIS));
        time.advance(by);
        model.advanceTo(time.elapsed().toMillis());
        yield "advancing the clock";
      }
      default -> {
        switch (random.nextInt(6)) {
          case 0 -> {
            channel.close();
            model.close();
            yield "close";
          }
          case 1 -> {
            assertEquals(model.cancel(), channel.cancel());
            yield "cancel";
          }
          default -> {
            yield "nothing";
          }
        }
      }
    };
  }

  private Select receiveOrSend(int task) {
    return Select.biased()
        .on(channel.receiving(), got -> outcomes.put(task, "got " + got))
        .on(channel.sending(task), sent -> outcomes.put(task, "sent " + task));
  }

  private void sendNow(int task) {
    outcomes.put(task, channel.trySend(task) ? "sent " + task : "not now");
  }

  private void receiveNow(int task) {
    Integer got = channel.tryReceive();
    outcomes.put(task, got == null ? "not now" : "got " + got);
  }

  private void spawn(int number, TaskAction<?> operation) {
    Task<Void> task =
        scheduler.newTask(
            "t" + number,
            () -> {
              try {
                operation.run();
              } catch (TimedOutException e) {
                outcomes.put(number, "timed out");
              } catch (ClosedException e) {
                boolean toSend = e.getMessage().startsWith("send to");
                outcomes.put(number, toSend ? "closed for send" : "closed for receive");
              }
            });
    task.trap((ended, outcome) -> {
      if (outcome instanceof Outcome.Cancelled<?>) {
        outcomes.put(number, "cancelled");
      }
      return outcome;
    });
    tasks.put(number, task);
    scheduler.scheduleTask(task);
  }

  private void check(String kind, int capacity, Overflow overflow) {
    random = Seeds.random(kind);
    var happened = new StringBuilder();
    for (int i = 0; i < CHANNELS; i++) {
      check(
          kind,
          switch (kind) {
            case "rendezvous" -> Channel.rendezvous(scheduler);
            case "unbounded" -> Channel.unbounded(scheduler);
            case "conflated" -> Channel.bounded(scheduler, 1, Overflow.DROP_OLDEST);
            default -> Channel.bounded(scheduler, capacity, overflow);
          },
          capacity,
          overflow);
      happened.append(outcomes).append('\n');
    }
    Seeds.assertSameTrace(kind, happened.toString());
  }

  @Test
  void rendezvous_anyOperations_doesAsTheModel() {
    check("rendezvous", 0, Overflow.SUSPEND);
  }

  @Test
  void bounded_anyOperations_doesAsTheModel() {
    check("bounded 1", 1, Overflow.SUSPEND);
    check("bounded 3", 3, Overflow.SUSPEND);
  }

  @Test
  void unbounded_anyOperations_doesAsTheModel() {
    check("unbounded", Integer.MAX_VALUE, Overflow.SUSPEND);
  }

  @Test
  void conflated_anyOperations_doesAsTheModel() {
    check("conflated", 1, Overflow.DROP_OLDEST);
  }

  @Test
  void dropping_anyOperations_doesAsTheModel() {
    check("dropping the oldest", 2, Overflow.DROP_OLDEST);
    check("dropping the latest", 2, Overflow.DROP_LATEST);
  }
}
