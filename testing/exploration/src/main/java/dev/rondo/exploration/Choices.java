package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.internal.Candidates;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.exploration.internal.SwitchingPolicy;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.List;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The choices of one run, in one sequence: which task is next, which host, how long a message
/// takes, which fault happens, and every random number. A run is its sequence of choices, see
/// [#sequence()].
///
/// In each choice smaller means simpler: the usual order, no fault, a random number near zero. So a
/// run becomes simpler by deleting and lowering choices, which is what [Explorer] does to a run
/// that fails. A choice without an alternative is no choice, and is not in the sequence.
///
/// As a [RandomGenerator], each number is one choice of the kind [ChoiceKind#RANDOM]; a Gaussian or
/// exponential one may take several.
///
/// An instance belongs to one run, and is used by one thread at a time.
public final class Choices extends ChoiceGenerator {

  private static final int NO_PART = 0;
  private static final long VERSION_4 = 0x4000L;
  private static final long VERSION_MASK = 0xf000L;
  private static final long VARIANT = Long.MIN_VALUE; // the bits 10 first

  static {
    RunChoices.findBy(choices -> ((Choices) choices).new OfRun());
  }

  private final Chooser chooser;
  private final String name;
  private final ChoiceLog log = new ChoiceLog();
  private int policies;
  private int steps;
  private boolean shown = true;

  /// Whether the run has exceeded its limit of real time. Written by any thread.
  private volatile boolean late;

  private long uuids;

  Choices(Chooser chooser, String name) {
    this.chooser = chooser;
    this.name = name;
  }

  /// {@return choices that are drawn uniformly}
  ///
  /// @param seed the same seed makes the same choices
  public static Choices random(long seed) {
    return new Choices(new UniformChooser(seed), "random, seed " + seed);
  }

  /// {@return the choices of a run that was recorded, then zeros} If the run asks for other choices
  /// than those recorded, it diverges: from there on all choices are zero. [Strategy#replay]
  /// reports that.
  ///
  /// @param recorded of the run
  public static Choices replay(ChoiceSequence recorded) {
    return new Choices(new ReplayChooser(requireNonNull(recorded, "recorded is null")), "replay");
  }

  /// {@return what [#replay] returns; it notes where the first choices are drawn}
  static Choices replayWithSites(ChoiceSequence recorded) {
    var noted = new ReplayChooser.Span(0, ReplayFile.MOST_SITES);
    return new Choices(new ReplayChooser(recorded, noted), "replay");
  }

  // Choosing.

  /// Makes the next choice.
  ///
  /// @param kind what it decides
  /// @param count how many there are, at least 1
  /// @return from 0 to `count - 1`; 0 should be the simplest
  /// @throws IllegalArgumentException if the count is less than 1; no choice is made
  public int choose(ChoiceKind kind, int count) {
    return (int) make(requireNonNull(kind, "kind is null"), NO_PART, requirePositive(count), null);
  }

  /// Makes the next choice, among candidates that the run will offer again, such as tasks or hosts.
  /// Strategies like [Strategy#pct] give priorities to candidates.
  ///
  /// @param count how many there are, at least 1
  /// @param ids the number of the candidate at an index, greater than 0: the same in each run. With
  ///   [Candidates] messages have names, too
  /// @return from 0 to `count - 1`; 0 should be the usual order
  int choose(ChoiceKind kind, int count, IntToLongFunction ids) {
    return (int) make(kind, NO_PART, requirePositive(count), ids);
  }

  private static int requirePositive(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1: count=" + count);
    }
    return count;
  }

  /// Decides whether something happens. No is the simpler choice. A probability of 0 or 1 is no
  /// choice.
  ///
  /// @param kind what it decides
  /// @param probability of true, from 0 to 1; a strategy that tries all orders tries both
  /// @return whether it happens
  /// @throws IllegalArgumentException if the probability is out of range; no choice is made
  public boolean chance(ChoiceKind kind, double probability) {
    requireNonNull(kind, "kind is null");
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "probability must be from 0 to 1: probability=" + probability);
    }
    if (probability == 0 || probability == 1) {
      return probability == 1;
    }
    long value = chooser.chance(kind, probability);
    record(kind, 2, value, 0);
    return value == 1;
  }

  @Override
  long draw(long count) {
    return make(ChoiceKind.RANDOM, NO_PART, count, null);
  }

  private long make(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction candidates) {
    if (count == 1) {
      return 0;
    }
    long value = chooser.choose(kind, part, count, candidates);
    record(kind, count, value, candidates == null ? part : candidates.applyAsLong((int) value));
    return value;
  }

  private void record(ChoiceKind kind, long count, long value, long id) {
    log.add(kind, count, value, id);
    chooser.made(kind, count, value, id);
  }

  // Policies and generators.

  /// {@return a policy for one scheduler, which chooses its tasks here} In each choice zero is the
  /// task that round robin takes. Tasks that are put to the front run first.
  public SchedulingPolicy policy() {
    return new ChoicePolicy(this, policies++);
  }

  /// {@return a generator whose numbers are choices of a kind, for one part of the run: a host, a
  /// link, a fault} When a run is made simpler, each part has its own choices: what one leaves out
  /// does not move those of the others, and a part becomes simple as a whole.
  ///
  /// @param kind of all of them
  /// @param part its number, the same in each run; 0 for what belongs to no part
  /// @throws IllegalArgumentException if the part is negative
  public RandomGenerator generator(ChoiceKind kind, int part) {
    requireNonNull(kind, "kind is null");
    if (part < 0) {
      throw new IllegalArgumentException("part must be at least 0: part=" + part);
    }
    return new ChoiceGenerator() {
      @Override
      long draw(long count) {
        return make(kind, part, count, null);
      }
    };
  }

  /// {@return a UUID of version 4, different from those before it in this run} Its first half is
  /// one choice, its second half counts.
  public UUID uuid() {
    long first = make(ChoiceKind.RANDOM, NO_PART, Chooser.ALL, null);
    return new UUID((first & ~VERSION_MASK) | VERSION_4, VARIANT | ++uuids);
  }

  // The choices made.

  /// {@return whether this repeats a run, in order to show or to check it} The last run of an
  /// [Explorer] that has found a failure is such a one.
  public boolean isReplay() {
    return chooser.isReplay();
  }

  /// Counts a step of the run, such as a turn of a world. A driver of runs that may become long
  /// calls it between steps, outside of the code under test. A run is given up here if it exceeds
  /// its limit of real time, or if it is to be simpler than another one and has become far longer.
  ///
  /// @throws RuntimeException if the run is given up, each time from then on; a search takes it for
  ///   another failure than the one that it simplifies
  public void step() {
    steps++;
    if (late) {
      throw new GivenUpException("its limit of real time is over");
    }
    if (steps > chooser.mostSteps() || log.size() > chooser.mostChoices()) {
      throw new GivenUpException(
          "it is no simpler run: steps=%,d, choices=%,d".formatted(steps, log.size()));
    }
  }

  /// {@return how often [#step()] was called}
  int steps() {
    return steps;
  }

  /// {@return how many choices have been made}
  int size() {
    return log.size();
  }

  /// {@return the choices made so far}
  public ChoiceSequence sequence() {
    return log.sequence();
  }

  /// Fails if this is a [#replay], and the run has asked for other choices than those recorded, or
  /// for fewer. To be called at the end of the run.
  ///
  /// @throws ReplayDivergedException says at which choice, what was recorded and what was asked
  void requireNoDivergence() {
    if (chooser instanceof ReplayChooser replay) {
      replay.requireNoDivergence(log.size());
    }
  }

  /// Receives where a task is about to access memory.
  void reached(long task, String place) {
    chooser.reached(task, place);
  }

  /// Called before a run of a search.
  ///
  /// @param code whose code makes the choices
  /// @param isShown see [RunChoices#isShown]
  void runs(ProgramCode code, boolean isShown) {
    chooser.runs(code);
    shown = isShown;
  }

  /// {@return where the run has drawn its choices, if that is noted}
  List<ChoiceSite> sites() {
    return chooser instanceof ReplayChooser replay ? replay.sites() : List.of();
  }

  /// {@return what this repeats; null if it makes choices of its own}
  @Nullable ChoiceSequence recorded() {
    return chooser instanceof ReplayChooser replay ? replay.recorded() : null;
  }

  @Override
  public String toString() {
    return name;
  }

  /// For the modules that drive schedulers and hosts.
  private final class OfRun extends RunChoices {

    @Override
    public int chooseHost(int count, Candidates hosts) {
      return choose(ChoiceKind.HOST, count, hosts);
    }

    @Override
    public SwitchingPolicy switchingPolicy() {
      return new ChoicePolicy(Choices.this, policies++);
    }

    @Override
    public void giveUp() {
      late = true;
    }

    @Override
    public boolean isShown() {
      return shown;
    }

    @Override
    public long digest() {
      return log.digest();
    }
  }
}
