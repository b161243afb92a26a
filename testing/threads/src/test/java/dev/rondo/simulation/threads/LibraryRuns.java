package dev.rondo.simulation.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rondo.simulation.World;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Runs programs with some seeds, in a JVM of its own, and prints a line for each run: the seed,
/// the digest, the time that it took, and all that the programs have printed.
public final class LibraryRuns {

  private static final Duration LIMIT = Duration.ofDays(1);
  private static final byte[] END = "\nend\n".getBytes(UTF_8);
  static final String NONE = "-";

  private LibraryRuns() {}

  /// What programs have printed.
  private static final class Output extends ByteArrayOutputStream {

    /// {@return whether the last line is `end`} Asked after each turn.
    boolean isComplete() {
      int begin = count - END.length;
      return begin >= 0 && Arrays.equals(buf, begin, count, END, 0, END.length);
    }
  }

  /// Runs them.
  ///
  /// @param args the names of the class of the program and of that of a server, `-` for none; how
  ///   often to run with each seed, zero to be shown the first turn that differs; and the seeds
  public static void main(String[] args) {
    int times = Integer.parseInt(args[2]);
    for (String each : List.of(args).subList(3, args.length)) {
      long seed = Long.parseLong(each);
      if (times == 0) {
        World.checkDeterminism(seed, world -> run(world, args[0], args[1]));
      }
      for (int i = 0; i < times; i++) {
        try (World world = World.withSeed(seed)) {
          String said = run(world, args[0], args[1]);
          System.out.printf("%s %016x %s %s%n", each, world.digest(), world.elapsed(), said);
        }
      }
    }
  }

  /// {@return what the programs have printed, in one line}
  private static String run(World given, String program, String server) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    var said = new Output();
    var saying = new PrintStream(said, true, UTF_8);
    System.setOut(saying);
    System.setErr(saying);
    try {
      World world = BlockingJava.in(given);
      if (!server.equals(NONE)) {
        var _ = world.host("server", BlockingJava.main(server));
      }
      var _ = world.host("host", BlockingJava.main(program));
      world.runUntil(said::isComplete, LIMIT);
    } catch (RuntimeException | Error e) {
      err.println(said.toString(UTF_8));
      throw e;
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return said.toString(UTF_8).replace("\n", "\\n");
  }
}
