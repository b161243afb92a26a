package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.History;
import dev.rondo.simulation.Invocation;
import dev.rondo.simulation.Verdict;
import dev.rondo.simulation.model.KeyValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the [ValueClient]s of all processes have printed, to be checked.
final class ValueHistory {

  /// How many configurations of a register the search looks at.
  private static final int LIMIT = 10_000_000;

  private record Event(String id, long nanos, boolean isAnswer, List<String> words) {}

  private record Sum(long called, long answered, long value) {}

  private final List<Event> events = new ArrayList<>();
  private int answers;

  /// Takes in a line, if it is one of a client, and whole: a process that is killed may break off
  /// in the middle.
  void add(String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    boolean isAnswer = words.getFirst().equals("done");
    if ((isAnswer || words.getFirst().equals("call")) && words.getLast().equals(".")) {
      events.add(
          new Event(
              words.get(1),
              Long.parseLong(words.get(2)),
              isAnswer,
              words.subList(3, words.size() - 1)));
      answers += isAnswer ? 1 : 0;
    }
  }

  /// How many operations were answered.
  int answers() {
    return answers;
  }

  /// Fails if an answer cannot be explained, an acknowledged write that is lost included.
  void requireLinearizable() {
    // What has the same instant counts as overlapping.
    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isAnswer));
    var now = new Duration[] {Duration.ZERO};
    History<KeyValue<String, String>, @Nullable Object> registers = History.timedBy(() -> now[0]);
    Map<String, Invocation<KeyValue<String, String>, @Nullable Object>> open = new HashMap<>();
    Map<String, Event> adds = new HashMap<>();
    List<Sum> sums = new ArrayList<>();
    for (Event each : events) {
      now[0] = Duration.ofNanos(each.nanos() - events.getFirst().nanos());
      if (!each.isAnswer()) {
        if (each.words().getFirst().equals("add")) {
          adds.put(each.id(), each);
        } else {
          String client = each.id().substring(0, each.id().lastIndexOf('/'));
          open.put(each.id(), registers.invoke(client, operation(each.words())));
        }
      } else if (adds.containsKey(each.id())) {
        sums.add(
            new Sum(
                adds.remove(each.id()).nanos(),
                each.nanos(),
                Long.parseLong(each.words().getFirst())));
      } else {
        answer(open.remove(each.id()), each.words().getFirst());
      }
    }
    assertEquals(new Verdict.Linearizable(), registers.check(KeyValue.model(), LIMIT));
    requireCounted(sums, adds.size());
  }

  private static KeyValue<String, String> operation(List<String> words) {
    String name = words.get(1);
    return switch (words.getFirst()) {
      case "put" -> new KeyValue.Put<>(name, words.get(2));
      case "get" -> new KeyValue.Get<>(name);
      case "cas" -> new KeyValue.CompareAndSet<>(name, value(words.get(2)), words.get(3));
      default -> throw new IllegalArgumentException(words.toString());
    };
  }

  private static @Nullable String value(String word) {
    return word.equals(ValueClient.NONE) ? null : word;
  }

  private static void answer(
      Invocation<KeyValue<String, String>, @Nullable Object> invocation, String word) {
    switch (invocation.input()) {
      case KeyValue.Put<String, String> _, KeyValue.Remove<String, String> _ ->
          invocation.returned(null);
      case KeyValue.Get<String, String> _ -> invocation.returned(value(word));
      case KeyValue.CompareAndSet<String, String> _ -> invocation.returned(Boolean.valueOf(word));
    }
  }

  /// Each addition of 1 has a sum of its own, larger than those that were answered before it was
  /// called; and none is larger than all additions, answered or not, allow.
  private static void requireCounted(List<Sum> sums, int unanswered) {
    sums.sort(Comparator.comparingLong(Sum::value));
    long called = Long.MIN_VALUE;
    long before = 0;
    for (Sum each : sums) {
      assertTrue(each.value() > before, () -> "a sum comes twice: " + each);
      long latest = called;
      assertTrue(
          each.answered() >= latest, () -> each + " was answered before a smaller sum was called");
      called = Math.max(called, each.called());
      before = each.value();
    }
    assertTrue(before <= sums.size() + unanswered, "the counter has counted too much: " + before);
  }
}
