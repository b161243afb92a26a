package dev.rondo.exploration;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Chooses the values of a candidate, then zeros.
class CandidateChooser extends Chooser {

  private static final class Position {
    private final long[] values;
    private int next;

    Position(long[] values) {
      this.values = values;
    }
  }

  private final Candidate candidate;
  private final Size most;
  private final Map<Candidate.Queue, Position> positions = new HashMap<>();

  /// How large a run is.
  ///
  /// @param steps see [Choices#step()]
  /// @param choices how many
  record Size(int steps, int choices) {}

  /// @param most after which the run is given up
  CandidateChooser(Candidate candidate, Size most) {
    this.candidate = candidate;
    this.most = most;
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    Position at = position(kind, part);
    if (at.next == at.values.length) {
      return 0;
    }
    long value = at.values[at.next++];
    return isInside(value, count) ? value : Long.remainderUnsigned(value, count);
  }

  /// {@return whether the queue of a choice is not at its end}
  final boolean hasNext(ChoiceKind kind, int part) {
    Position at = position(kind, part);
    return at.next < at.values.length;
  }

  private Position position(ChoiceKind kind, int part) {
    return positions.computeIfAbsent(
        Candidate.Queue.of(kind, part), queue -> new Position(candidate.values(queue)));
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    return choose(kind, 0, 2, null);
  }

  @Override
  int mostChoices() {
    return most.choices();
  }

  @Override
  int mostSteps() {
    return most.steps();
  }
}
