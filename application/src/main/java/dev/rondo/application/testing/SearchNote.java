package dev.rondo.application.testing;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Exploration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What a failure that a search has found says about it.
final class SearchNote {

  /// The longest replay that is printed. A longer one is written to a file.
  private static final int MOST_PRINTED = 2000;

  private final Plan plan;
  private final Exploration result;
  private final ExtensionContext context;

  SearchNote(Plan plan, Exploration result, ExtensionContext context) {
    this.plan = plan;
    this.result = result;
    this.context = context;
  }

  SeedNote note() {
    ChoiceSequence shrunk = result.shrunk().orElseThrow();
    if (plan.name().equals(Plans.NAME_OF_REPLAY)) {
      return new SeedNote(plan.seed(), "a replay of " + shrunk);
    }
    String replay = replay(shrunk);
    long seed = seed();
    return new SeedNote(
        seed,
        "%s\n%s\nto repeat it: @RondoTest(replay = \"%s\"), or -D%s=%s"
            .formatted(plan.describe(seed), result.describe(), replay, Plans.REPLAY, replay));
  }

  /// Of the run, if it has one; of the search otherwise.
  private long seed() {
    return plan.uniform() ? plan.seed() + result.runs() - 1 : plan.seed();
  }

  private String replay(ChoiceSequence sequence) {
    String text = sequence.print();
    if (text.length() <= MOST_PRINTED) {
      return text;
    }
    Path file =
        directory()
            .resolve(
                "rondo-replay-%s.%s.txt"
                    .formatted(
                        context.getRequiredTestClass().getName(),
                        context.getRequiredTestMethod().getName()));
    try {
      Files.writeString(file, text);
      return "@" + file;
    } catch (IOException _) {
      return text; // long, and of use nevertheless
    }
  }

  /// {@return where builds put their output}
  private static Path directory() {
    return Stream.of("target", "build")
        .map(Path::of)
        .filter(Files::isDirectory)
        .findFirst()
        .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
  }
}
