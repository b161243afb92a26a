package dev.rondo.scheduler.testing;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/// Runs random scripts with a check. Shrinks a failing script, and reports it with its seed.
///
/// System properties: `rondo.test.seed` runs the script of that seed only; `rondo.test.scripts`
/// sets the number of scripts.
public final class RandomScripts {

  private static final String SEED = "rondo.test.seed";
  private static final String SCRIPTS = "rondo.test.scripts";
  private static final int ATTEMPTS_TO_SHRINK = 3_000;

  private RandomScripts() {}

  /// Runs scripts until one fails.
  ///
  /// @param <S> one step of a script
  /// @param name of what is tested
  /// @param scripts how many, unless the property sets another number
  /// @param maker makes the script of a seed, always the same
  /// @param check runs a script and returns what went wrong, always the same
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
