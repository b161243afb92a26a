package dev.rondo.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Repeats the choices of a sequence, then chooses zero.
class ReplayChooser extends Chooser {

  private final ChoiceSequence recorded;
  private final Span noted;
  private final List<ChoiceSite> sites = new ArrayList<>();
  private ProgramCode code = ProgramCode.WITHOUT_TEST;
  private int index;
  private @Nullable ReplayDivergedException divergence;

  /// Choices from one index to another.
  record Span(int from, int to) {

    static final Span NONE = new Span(0, 0);

    /// {@return that of one choice}
    static Span of(int index) {
      return new Span(index, index + 1);
    }

    boolean has(int index) {
      return index >= from && index < to;
    }
  }

  ReplayChooser(ChoiceSequence recorded) {
    this(recorded, Span.NONE);
  }

  /// @param noted of which choices to note where they are drawn
  ReplayChooser(ChoiceSequence recorded, Span noted) {
    this.recorded = recorded;
    this.noted = noted;
  }

  @Override
  void runs(ProgramCode program) {
    code = program;
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    int at = index++;
    if (divergence != null) {
      return 0;
    }
    if (at >= recorded.size()) {
      return 0;
    }
    long value = recorded.value(at);
    if (recorded.kind(at) != kind || recorded.count(at) != count) {
      String asked = "%s, one of %s".formatted(kind, ChoiceSequence.text(count));
      return diverge(at, asked, ChoiceSite.here(code, count, ChoiceSite.NOTHING, ids));
    }
    long id = ids == null ? part : ids.applyAsLong((int) value);
    if (hasId(at) && recorded.id(at) != id) {
      String asked = ChoiceSequence.describe(kind, count, value, id);
      return diverge(at, asked, ChoiceSite.here(code, count, (int) value, ids));
    }
    if (noted.has(at)) {
      sites.add(ChoiceSite.here(code, count, (int) value, ids));
    }
    return value;
  }

  /// {@return where the run has drawn the choices to note, as far as it came}
  final List<ChoiceSite> sites() {
    return sites;
  }

  @Override
  boolean isReplay() {
    return true;
  }

  final ChoiceSequence recorded() {
    return recorded;
  }

  /// {@return whether the last choice was made after those recorded}
  final boolean isBeyond() {
    return index > recorded.size();
  }

  /// {@return whether it is known which candidate was chosen}
  boolean hasId(int index) {
    return true;
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    return choose(kind, 0, 2, null);
  }

  /// A policy must not throw, so the run goes on.
  private long diverge(int at, String asked, ChoiceSite site) {
    divergence =
        new ReplayDivergedException(
            at,
            "the replay diverges at choice %d of %d: recorded was %s, and the run asks for %s"
                .formatted(at + 1, recorded.size(), recorded.describe(at), asked),
            recorded.site(at),
            site);
    return 0;
  }

  /// @param made how many choices the run has made
  void requireNoDivergence(int made) {
    if (divergence != null) {
      throw divergence;
    }
    if (made < recorded.size()) {
      throw new ReplayDivergedException(
          made,
          "the replay diverges at choice %d of %d: recorded was %s, and the run has ended"
              .formatted(made + 1, recorded.size(), recorded.describe(made)),
          recorded.site(made),
          null);
    }
  }
}
