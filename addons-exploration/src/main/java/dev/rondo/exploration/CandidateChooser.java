package dev.rondo.exploration;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the values of a sequence that need not fit the run: each kind has a queue of its own, so
/// that a choice deleted of one kind does not shift those of the others. Then zeros.
final class CandidateChooser extends Chooser {

  private static final int KINDS = ChoiceKind.COUNT;

  private final long[][] values = new long[KINDS][];
  private final int[] next = new int[KINDS];

  CandidateChooser(ChoiceSequence sequence) {
    var sizes = new int[KINDS];
    for (int i = 0; i < KINDS; i++) {
      values[i] = new long[sequence.size()];
    }
    for (int i = 0; i < sequence.size(); i++) {
      int kind = sequence.kind(i).code;
      values[kind][sizes[kind]++] = sequence.value(i);
    }
    for (int i = 0; i < KINDS; i++) {
      values[i] = trimmed(values[i], sizes[i]);
    }
  }

  private static long[] trimmed(long[] values, int size) {
    int end = size;
    while (end > 0 && values[end - 1] == 0) {
      end--;
    }
    return Arrays.copyOf(values, end);
  }

  /// {@return what is the same for sequences that make the same run}
  long[][] key() {
    return values;
  }

  @Override
  long choose(ChoiceKind kind, long count, @Nullable IntToLongFunction ids) {
    int code = kind.code;
    long[] queue = values[code];
    if (next[code] >= queue.length) {
      return 0;
    }
    long value = queue[next[code]++];
    return isInside(value, count) ? value : Long.remainderUnsigned(value, count);
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    return choose(kind, 2, null);
  }
}
