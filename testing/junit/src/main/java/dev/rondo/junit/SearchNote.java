package dev.rondo.junit;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.internal.FailureFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The note that a search adds to the failure which it has found.
final class SearchNote {

  /// The longest replay that is printed. A longer one is in the file only.
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
    long seed = seed();
    return new SeedNote(
        seed, plan.describe(seed) + "\n" + result + "\nto repeat it: " + replay(shrunk));
  }

  /// Of the run, if it has one; of the search otherwise.
  private long seed() {
    return plan.uniform() ? plan.seed() + result.runs() - 1 : plan.seed();
  }

  /// The file has the stacks of the choices, so that a run that diverges can name them.
  private String replay(ChoiceSequence sequence) {
    String text = sequence.print();
    String brief = text.length() <= MOST_PRINTED ? options(text) : "";
    try {
      String file = options("@" + written(sequence));
      return brief.isEmpty() ? file : brief + "\nthe same in a file: " + file;
    } catch (IOException e) {
      return options(text) + "\nthere is no file: " + e; // of use, even if it is long
    }
  }

  private static String options(String replay) {
    return "@RondoTest(replay = \"%s\"), or -D%s=%s".formatted(replay, Plans.REPLAY, replay);
  }

  /// {@return a file beside the page of the failure}
  private Path written(ChoiceSequence sequence) throws IOException {
    Path file = FailureFiles.file(RunPicture.nameOf(context), ".replay");
    sequence.writeTo(file);
    return file;
  }
}
