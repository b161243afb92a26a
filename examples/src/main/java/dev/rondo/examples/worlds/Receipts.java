package dev.rondo.examples.worlds;

import dev.rondo.simulation.OutsideCalls;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// A till that prints the time of the real clock on its receipts. Such a call leaves a simulation,
/// and a search finds it in the class files. A search and a world can allow a harmless call.
final class Receipts {

  private static final String MAIN = Receipts.class.getName() + ".main";
  private static final String TILL = Receipts.class.getName() + ".receipt";
  private static final String CLOCK = "java.lang.System.currentTimeMillis()";

  private Receipts() {}

  static void main() throws IOException, URISyntaxException {
    var classes = Receipts.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    run(Path.of(classes).resolve("dev/rondo/examples/worlds"), IO::println);
  }

  /// Searches a folder of class files, and opens the till in a world.
  static void run(Path folder, Consumer<String> out) throws IOException {
    OutsideCalls calls = OutsideCalls.in(folder).except(MAIN, "*"); // not in a world
    try {
      calls.requireNone();
    } catch (SimulationFailedError e) {
      String.valueOf(e.getMessage()).lines().map(String::strip).forEach(out);
    }
    calls.except(TILL, CLOCK).requireNone();
    try (World world = World.withSeed(1).allowOutsideCalls(TILL, CLOCK)) {
      WorldHost _ = world.host("till", _ -> receipt());
      world.runFor(Duration.ofSeconds(1));
    }
    out.accept("the till has closed");
  }

  private static String receipt() {
    return "sold at " + System.currentTimeMillis();
  }
}
