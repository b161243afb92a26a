package dev.rondo.exploration;

import static java.util.Objects.requireNonNull;

import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How an [Explorer] makes the choices of its runs.
///
/// Immutable; any thread.
public final class Strategy {

  /// The greatest depth of [#pct].
  public static final int MAX_DEPTH = 5;

  private final String text;
  private final Supplier<Search> search;

  private Strategy(String text, Supplier<Search> search) {
    this.text = text;
    this.search = search;
  }

  /// {@return uniform random choices} Each candidate is as likely as any other.
  ///
  /// @param seed of all runs: the first run is that of [Choices#random] with this seed, the second
  ///   that with the next seed, and so on
  public static Strategy uniform(long seed) {
    return new Strategy("uniform, seed " + seed, () -> new UniformSearch(seed));
  }

  /// {@return random choices among tasks and hosts of unlike weights} Each has a weight from 1 to
  /// 16, which is drawn for each run, and is as likely to be next as its weight says: some are slow
  /// throughout a run. Random numbers and faults are uniform.
  ///
  /// @param seed of all runs
  public static Strategy weighted(long seed) {
    return new Strategy(
        "weighted, seed " + seed, () -> new SeededSearch(seed, "weighted", WeightedChooser::new));
  }

  /// {@return partial order sampling} Where threads race, the next access of each thread has a
  /// random priority, and the highest one is next. The thread that has made it draws another one,
  /// and so do those that are about to access the same memory, if one of the two writes (X. Yuan,
  /// J. Yang, R. Gu, *Partial order aware concurrency sampling*, CAV 2018): accesses that do not
  /// conflict are not shuffled in vain. Elsewhere a task draws a priority after each turn. Random
  /// numbers and faults are uniform.
  ///
  /// @param seed of all runs
  public static Strategy pos(long seed) {
    return new Strategy("POS, seed " + seed, () -> new SeededSearch(seed, "POS", PosChooser::new));
  }

  /// {@return the selectively uniform random walk} Where threads race, each run draws one of the
  /// places that several threads have accessed in the runs before, such as a field, and makes each
  /// order of the accesses there about as likely as any other: the thread that is next there is
  /// drawn by how many of these accesses it has left, and the others wait there (H. Zhao, D. Wolff,
  /// U. Mathur, A. Roychoudhury, *Selectively uniform concurrency testing*, ASPLOS 2025). All else
  /// is a random walk, and so is the first run. Random numbers and faults are uniform.
  ///
  /// @param seed of all runs
  public static Strategy surw(long seed) {
    return new Strategy("SURW, seed " + seed, () -> new SurwSearch(seed));
  }

  /// {@return probabilistic concurrency testing} Each task has a random priority, and of those that
  /// are ready the one with the highest priority is next; at `depth - 1` random choices it gets a
  /// priority lower than all others. Random numbers and faults are uniform.
  ///
  /// A bug of depth d is one that d constraints on the order of turns suffice for. In a run of n
  /// tasks that makes k choices of tasks, a bug of depth d is found with a probability of at least
  /// `1 / (n * k^(d-1))` (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, *A randomized
  /// scheduler with probabilistic guarantees of finding bugs*, ASPLOS 2010), where k is the most
  /// that a run has made so far; in the first run k is a guess. A task that has had 1,000 turns
  /// while others were ready gets the lowest priority, so that one which waits in a loop does not
  /// hang the run. The bound does not cover runs where that happens.
  ///
  /// @param seed of all runs
  /// @param depth the d, from 1 to 5
  /// @throws IllegalArgumentException if the depth is out of range
  public static Strategy pct(long seed, int depth) {
    if (depth < 1 || depth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "depth must be from 1 to %d: depth=%d".formatted(MAX_DEPTH, depth));
    }
    return new Strategy(
        "PCT of depth %d, seed %d".formatted(depth, seed), () -> new PctSearch(seed, depth));
  }

  /// {@return all orders, each once: first the usual one, then those that deviate from it in one
  /// choice, in two, and so on} A random number or chance with up to [#MAX_ENUMERATED] values is
  /// tried with each of them, which is no deviation. Of one with more values only the one is tried
  /// that follows from the seed; then the search never says that all orders pass.
  ///
  /// The runs that are still to be varied are in memory.
  ///
  /// @param seed of large random numbers
  /// @param deviations in how many choices of tasks or hosts an order may deviate from the usual
  ///   one (S. Emmi, S. Qadeer, Z. Rakamaric, *Delay-bounded scheduling*, POPL 2011), at least 0;
  ///   `Integer.MAX_VALUE` for no bound
  /// @throws IllegalArgumentException if the bound is negative
  public static Strategy exhaustive(long seed, int deviations) {
    if (deviations < 0) {
      throw new IllegalArgumentException("deviations must be at least 0: deviations=" + deviations);
    }
    String bound =
        deviations == Integer.MAX_VALUE ? "all orders" : "up to " + deviations + " deviations";
    return new Strategy(
        "exhaustive, " + bound + ", seed " + seed, () -> new ExhaustiveSearch(seed, deviations));
  }

  /// The most values of a random number that [#exhaustive] tries.
  public static final int MAX_ENUMERATED = 8;

  /// {@return the one run of a sequence of choices}
  ///
  /// @param recorded see [Choices#replay]
  public static Strategy replay(ChoiceSequence recorded) {
    requireNonNull(recorded, "recorded is null");
    return new Strategy("replay", () -> new Once(Choices.replay(recorded)));
  }

  Search begin() {
    return search.get();
  }

  @Override
  public String toString() {
    return text;
  }

  private static final class UniformSearch implements Search {

    private long seed;

    UniformSearch(long seed) {
      this.seed = seed;
    }

    @Override
    public Choices next() {
      return Choices.random(seed++);
    }

    @Override
    public void ended(ChoiceSequence sequence) {}
  }

  /// Runs that have nothing of each other.
  private static final class SeededSearch implements Search {

    private final SplittableRandom seeds;
    private final String name;
    private final LongFunction<Chooser> chooser;

    SeededSearch(long seed, String name, LongFunction<Chooser> chooser) {
      this.seeds = new SplittableRandom(seed);
      this.name = name;
      this.chooser = chooser;
    }

    @Override
    public Choices next() {
      long seed = seeds.nextLong();
      return new Choices(chooser.apply(seed), name + ", seed " + seed);
    }

    @Override
    public void ended(ChoiceSequence sequence) {}
  }

  private static final class Once implements Search {

    private @Nullable Choices choices;

    Once(Choices choices) {
      this.choices = choices;
    }

    @Override
    public @Nullable Choices next() {
      Choices next = choices;
      choices = null;
      return next;
    }

    @Override
    public void ended(ChoiceSequence sequence) {}
  }
}
