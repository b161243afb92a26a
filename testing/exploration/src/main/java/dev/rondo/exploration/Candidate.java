package dev.rondo.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Choices of a run that is perhaps simpler. They need not fit the run. Each kind has a queue of
/// its own, and of what belongs to a part of the run each part has one. So a choice left out of one
/// queue does not shift those of the others. A queue that is at its end has zeros.
///
/// Immutable. No queue ends with a zero or is empty.
final class Candidate {

  /// Which choices are in one queue.
  ///
  /// @param part 0 for none
  record Queue(ChoiceKind kind, long part) {

    /// {@return the queue of a choice}
    static Queue of(ChoiceKind kind, long id) {
      return new Queue(kind, kind.isOrder() ? 0 : id);
    }
  }

  private static final long[] NONE = {};

  /// In the order of their first choices.
  private final Map<Queue, long[]> values;

  private Candidate(Map<Queue, long[]> values) {
    this.values = values;
  }

  /// {@return the candidate that makes the run of a sequence}
  static Candidate of(ChoiceSequence sequence) {
    var sizes = new LinkedHashMap<Queue, Integer>();
    for (int i = 0; i < sequence.size(); i++) {
      sizes.merge(Queue.of(sequence.kind(i), sequence.id(i)), 1, Integer::sum);
    }
    var all = new LinkedHashMap<Queue, long[]>();
    sizes.forEach((queue, size) -> all.put(queue, new long[size]));
    sizes.replaceAll((_, _) -> 0);
    for (int i = 0; i < sequence.size(); i++) {
      Queue queue = Queue.of(sequence.kind(i), sequence.id(i));
      int index = sizes.merge(queue, 1, Integer::sum) - 1;
      all.getOrDefault(queue, NONE)[index] = sequence.value(i);
    }
    all.replaceAll((_, each) -> trimmed(each));
    all.values().removeIf(each -> each.length == 0);
    return new Candidate(all);
  }

  private static long[] trimmed(long[] values) {
    int end = values.length;
    while (end > 0 && values[end - 1] == 0) {
      end--;
    }
    return end == values.length ? values : Arrays.copyOf(values, end);
  }

  /// {@return its queues, in the order of their first choices}
  List<Queue> queues() {
    return new ArrayList<>(values.keySet());
  }

  /// {@return the values of a queue, which must not be changed}
  long[] values(Queue queue) {
    return values.getOrDefault(queue, NONE);
  }

  /// {@return this candidate with other values in a queue}
  Candidate with(Queue queue, long[] changed) {
    var all = new LinkedHashMap<>(values);
    long[] trimmed = trimmed(changed);
    if (trimmed.length == 0) {
      all.remove(queue);
    } else {
      all.put(queue, trimmed);
    }
    return new Candidate(all);
  }

  /// {@return this candidate with zeros for all of some kinds}
  Candidate without(Predicate<Queue> which) {
    var all = new LinkedHashMap<>(values);
    all.keySet().removeIf(which);
    return new Candidate(all);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Candidate that
        && values.keySet().equals(that.values.keySet())
        && values.entrySet().stream()
            .allMatch(each -> Arrays.equals(each.getValue(), that.values(each.getKey())));
  }

  @Override
  public int hashCode() {
    int hash = 0;
    for (Map.Entry<Queue, long[]> each : values.entrySet()) {
      Queue queue = each.getKey();
      hash +=
          (31 * queue.kind().code + Long.hashCode(queue.part())) ^ Arrays.hashCode(each.getValue());
    }
    return hash;
  }
}
