package dev.rondo.condition.channel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The model of a channel, with plain lists: one operation after the other, each with its outcome.
final class ChannelModel {

  /// A task that waits.
  private record Waiting(int task, int element, long deadlineMillis) {}

  private final int capacity;
  private final Overflow overflow;
  private final Deque<Integer> buffer = new ArrayDeque<>();
  private final List<Waiting> senders = new ArrayList<>();
  private final List<Waiting> receivers = new ArrayList<>();
  private boolean closed;
  private long dropped;

  /// How the operation of each task ended.
  final Map<Integer, String> outcomes = new TreeMap<>();

  ChannelModel(int capacity, Overflow overflow) {
    this.capacity = capacity;
    this.overflow = overflow;
  }

  private void end(int task, String outcome) {
    outcomes.put(task, outcome);
    senders.removeIf(each -> each.task == task);
    receivers.removeIf(each -> each.task == task);
  }

  private boolean trySend(int task, int element) {
    if (closed) {
      end(task, "closed for send");
    } else if (!receivers.isEmpty()) {
      end(receivers.getFirst().task, "got " + element);
      end(task, "sent " + element);
    } else if (buffer.size() < capacity) {
      buffer.add(element);
      end(task, "sent " + element);
    } else if (overflow == Overflow.SUSPEND) {
      return false;
    } else {
      dropped++;
      if (overflow == Overflow.DROP_OLDEST) {
        buffer.remove();
        buffer.add(element);
      }
      end(task, "sent " + element);
    }
    return true;
  }

  private boolean tryReceive(int task) {
    if (!buffer.isEmpty()) {
      end(task, "got " + buffer.remove());
      if (!senders.isEmpty()) {
        Waiting first = senders.getFirst();
        buffer.add(first.element);
        end(first.task, "sent " + first.element);
      }
    } else if (!senders.isEmpty()) {
      Waiting first = senders.getFirst();
      end(task, "got " + first.element);
      end(first.task, "sent " + first.element);
    } else if (closed) {
      end(task, "closed for receive");
    } else {
      return false;
    }
    return true;
  }

  void send(int task, int element, long deadlineMillis) {
    if (!trySend(task, element)) {
      senders.add(new Waiting(task, element, deadlineMillis));
    }
  }

  void receive(int task, long deadlineMillis) {
    if (!tryReceive(task)) {
      receivers.add(new Waiting(task, 0, deadlineMillis));
    }
  }

  void sendNow(int task, int element) {
    if (!trySend(task, element)) {
      end(task, "not now");
    }
  }

  void receiveNow(int task) {
    if (!tryReceive(task)) {
      end(task, "not now");
    }
  }

  void receiveOrSend(int task, int element, long deadlineMillis) {
    if (!tryReceive(task) && !trySend(task, element)) {
      receivers.add(new Waiting(task, element, deadlineMillis));
      senders.add(new Waiting(task, element, deadlineMillis));
    }
  }

  /// The first waiting task; null if none waits.
  @Nullable Integer waitingTask(int index) {
    List<Waiting> all = new ArrayList<>(senders);
    all.addAll(receivers);
    return all.isEmpty() ? null : all.get(index % all.size()).task;
  }

  void cancelTask(int task) {
    end(task, "cancelled");
  }

  void advanceTo(long nowMillis) {
    List<Waiting> all = new ArrayList<>(senders);
    all.addAll(receivers);
    for (Waiting each : all) {
      if (nowMillis >= each.deadlineMillis) {
        end(each.task, "timed out");
      }
    }
  }

  void close() {
    closed = true;
    for (Waiting each : List.copyOf(senders)) {
      end(each.task, "closed for send");
    }
    for (Waiting each : List.copyOf(receivers)) {
      end(each.task, "closed for receive");
    }
  }

  List<Integer> cancel() {
    List<Integer> left = List.copyOf(buffer);
    buffer.clear();
    close();
    return left;
  }

  /// Everything that can be seen from outside.
  String state() {
    return "%d in the buffer, %d dropped, %d sending, %d receiving, %s"
        .formatted(buffer.size(), dropped, senders.size(), receivers.size(), outcomes);
  }
}
