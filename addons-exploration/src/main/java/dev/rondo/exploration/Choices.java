package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.Arrays;
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

  private static final int FIRST_CAPACITY = 64;
  private static final long VERSION_4 = 0x4000L;
  private static final long VERSION_MASK = 0xf000L;
  private static final long VARIANT = Long.MIN_VALUE; // the bits 10 first

  private final Chooser chooser;
  private final String name;
  private ChoiceKind[] kinds = new ChoiceKind[FIRST_CAPACITY];
  private long[] counts = new long[FIRST_CAPACITY];
  private long[] values = new long[FIRST_CAPACITY];
  private long[] ids = new long[FIRST_CAPACITY];
  private int size;
  private int policies;
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
  /// than those recorded, it diverges: from there on all choices are zero, and
  /// [#requireNoDivergence()] fails.
  ///
  /// @param recorded of the run
  public static Choices replay(ChoiceSequence recorded) {
    return new Choices(new ReplayChooser(requireNonNull(recorded, "recorded is null")), "replay");
  }

  // Choosing.

  /// Makes the next choice, of the kind [ChoiceKind#RANDOM].
  ///
  /// @param count how many there are, at least 1
  /// @return from 0 to `count - 1`
  /// @throws IllegalArgumentException if the count is less than 1; no choice is made
  public int choose(int count) {
    return choose(ChoiceKind.RANDOM, count);
  }

  /// Makes the next choice.
  ///
  /// @param kind what it decides
  /// @param count how many there are, at least 1
  /// @return from 0 to `count - 1`; 0 should be the simplest
  /// @throws IllegalArgumentException if the count is less than 1; no choice is made
  public int choose(ChoiceKind kind, int count) {
    return (int) make(requireNonNull(kind, "kind is null"), requirePositive(count), null);
  }

  /// Makes the next choice, among candidates that the run will offer again, such as tasks or hosts.
  /// Strategies like [Strategy#pct] give priorities to candidates.
  ///
  /// @param kind what it decides
  /// @param count how many there are, at least 1
  /// @param ids the number of the candidate at an index, greater than 0: the same in each run
  /// @return from 0 to `count - 1`; 0 should be the usual order
  /// @throws IllegalArgumentException if the count is less than 1; no choice is made
  public int choose(ChoiceKind kind, int count, IntToLongFunction ids) {
    requireNonNull(kind, "kind is null");
    requireNonNull(ids, "ids is null");
    return (int) make(kind, requirePositive(count), ids);
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
    return make(ChoiceKind.RANDOM, count, null);
  }

  private long make(ChoiceKind kind, long count, @Nullable IntToLongFunction candidates) {
    if (count == 1) {
      return 0;
    }
    long value = chooser.choose(kind, count, candidates);
    record(kind, count, value, candidates == null ? 0 : candidates.applyAsLong((int) value));
    return value;
  }

  private void record(ChoiceKind kind, long count, long value, long id) {
    if (size == kinds.length) {
      int larger = 2 * size;
      kinds = Arrays.copyOf(kinds, larger);
      counts = Arrays.copyOf(counts, larger);
      values = Arrays.copyOf(values, larger);
      ids = Arrays.copyOf(ids, larger);
    }
    kinds[size] = kind;
    counts[size] = count;
    values[size] = value;
    ids[size] = id;
    size++;
    chooser.made(kind, count, value, id);
  }

  // What draws from here.

  /// {@return a policy for one scheduler, which chooses its tasks here} In each choice zero is the
  /// task that round robin takes. Tasks that are put to the front run first.
  public SchedulingPolicy policy() {
    return new ChoicePolicy(this, policies++);
  }

  /// {@return a generator whose numbers are choices of a kind}
  ///
  /// @param kind of all of them
  public RandomGenerator generator(ChoiceKind kind) {
    requireNonNull(kind, "kind is null");
    return new ChoiceGenerator() {
      @Override
      long draw(long count) {
        return make(kind, count, null);
      }
    };
  }

  /// {@return a UUID of version 4, different from those before it in this run} Its first half is
  /// one choice, its second half counts.
  public UUID uuid() {
    long first = make(ChoiceKind.RANDOM, Chooser.ALL, null);
    return new UUID((first & ~VERSION_MASK) | VERSION_4, VARIANT | ++uuids);
  }

  // What was chosen.

  /// {@return whether this repeats a run, in order to show or to check it} The last run of an
  /// [Explorer] that has found a failure is such a one.
  public boolean isReplay() {
    return chooser.getClass() == ReplayChooser.class;
  }

  /// {@return how many choices have been made}
  public int size() {
    return size;
  }

  /// {@return the choices made so far}
  public ChoiceSequence sequence() {
    return new ChoiceSequence(
        Arrays.copyOf(kinds, size),
        Arrays.copyOf(counts, size),
        Arrays.copyOf(values, size),
        Arrays.copyOf(ids, size));
  }

  /// Fails if this is a [#replay], and the run has asked for other choices than those recorded, or
  /// for fewer. To be called at the end of the run.
  ///
  /// @throws ReplayDivergedException says at which choice, what was recorded and what was asked
  public void requireNoDivergence() {
    if (chooser instanceof ReplayChooser replay) {
      replay.requireNoDivergence(size);
    }
  }

  /// {@return what this repeats; null if it makes choices of its own}
  @Nullable ChoiceSequence recorded() {
    return chooser instanceof ReplayChooser replay ? replay.recorded() : null;
  }

  @Override
  public String toString() {
    return name;
  }
}
