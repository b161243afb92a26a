package dev.rondo.scheduler.testing;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/// Runs random scripts against something that can say what went wrong. A failing one is made small
/// and shown, with the seed that makes it again.
///
/// System properties: `rondo.test.seed` runs the script of that one seed; `rondo.test.scripts` sets
/// how many there are.
public final class RandomScripts {

  private static final String SEED = "rondo.test.seed";
  private static final String SCRIPTS = "rondo.test.scripts";
  private static final int ATTEMPTS_TO_SHRINK = 3_000;

  private RandomScripts() {}

  /// Runs scripts until one fails.
  ///
  /// @param <S> one step of a script
  /// @param name of what is tested
  /// @param scripts how many, unless a property says otherwise
  /// @param maker makes the script of a seed: the same each time
  /// @param check runs a script and says what went wrong: the same each time
  /// @throws AssertionError if one fails
  public static <S> void check(
      String name,
      int scripts,
      LongFunction<List<S>> maker,
      Function<? super List<S>, Optional<String>> check) {
    Long fixed = Long.getLong(SEED);
    long first = fixed != null ? fixed : new Random().nextLong();
    int count = fixed != null ? 1 : Integer.getInteger(SCRIPTS, scripts);
    System.out.printf("%s: %d scripts from seed %d%n", name, count, first);
    for (long seed = first; seed != first + count; seed++) {
      List<S> script = maker.apply(seed);
      Optional<String> wrong = check.apply(script);
      if (wrong.isPresent()) {
        throw failure(name, seed, script, wrong.get(), check);
      }
    }
  }

  private static <S> AssertionError failure(
      String name,
      long seed,
      List<S> script,
      String wrong,
      Function<? super List<S>, Optional<String>> check) {
    List<S> small =
        Shrinker.shrink(
            script, ATTEMPTS_TO_SHRINK, candidate -> check.apply(candidate).isPresent());
    return new AssertionError(
        "%s, seed %d (-D%s=%d), %d steps: %s%nIn short, %d steps:%n%s%n%s"
            .formatted(
                name,
                seed,
                SEED,
                seed,
                script.size(),
                wrong,
                small.size(),
                small.stream().map(step -> "  " + step).collect(Collectors.joining("\n")),
                check.apply(small).orElse("which does not fail any more")));
  }
}
