package dev.rondo.simulation.threads;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.simulation.World;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;

/// Runs a program with successive seeds, in a JVM of its own, until it fails, and prints a line:
/// how often it has run, and the failure.
public final class LibraryBugRuns {

  private static final Duration LIMIT = Duration.ofDays(1);

  private LibraryBugRuns() {}

  /// Runs it.
  ///
  /// @param args the name of its class, the packages whose threads race, the first seed, and how
  ///   often to run at most
  public static void main(String[] args) throws ReflectiveOperationException {
    MethodHandle main =
        MethodHandles.publicLookup()
            .findStatic(
                Class.forName(args[0]), "main", MethodType.methodType(void.class, String[].class));
    String[] racing = args[1].split(",");
    run(Choices.replay(ChoiceSequence.empty()), main, racing); // initialises classes
    Exploration result =
        new Explorer(Strategy.uniform(Long.parseLong(args[2])))
            .runs(Integer.parseInt(args[3]))
            .shrinking(Duration.ZERO, 0)
            .explore(choices -> run(choices, main, racing));
    result.failure().ifPresent(Throwable::printStackTrace);
    System.out.println(result.runs() + " " + result.failure().map(LibraryBugRuns::text).orElse(""));
  }

  private static void run(Choices choices, MethodHandle main, String[] racing) {
    var ended = new boolean[1];
    try (World world = BlockingJava.racing(World.with(choices), racing)) {
      var _ =
          world.host(
              "host",
              _ -> {
                invoke(main);
                ended[0] = true;
              });
      world.runUntil(() -> ended[0], LIMIT);
    }
  }

  private static void invoke(MethodHandle main) throws Exception {
    try {
      main.invokeExact(new String[0]);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /// {@return the first line of a failure, or of its last cause}
  private static String text(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure.toString().lines().findFirst().orElseThrow() : text(cause);
  }
}
