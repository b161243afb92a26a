package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.acme.threads.AsyncChannels;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/// Channels whose operations do not wait, on hosts.
final class AsyncChannelsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private record Run(List<String> told, long digest) {}

  private static Run connections(long seed) {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host("server", _ -> AsyncChannels.serve());
      world.runFor(Duration.ofSeconds(1));
      world.host("client", _ -> told.addAll(AsyncChannels.use("server")));
      world.runUntil(() -> !told.isEmpty(), HOUR);
      return new Run(told, world.digest());
    }
  }

  @Test
  void connections_doAsTheJdkHasIt() {
    Run first = connections(7);
    assertEquals(
        List.of(
            "NotYetConnectedException",
            "20 a text of some bytes",
            "ReadPendingException",
            "later 4 ours",
            "limited InterruptedByTimeoutException after 5000",
            "IllegalStateException",
            "refused ConnectException",
            "closed AsynchronousCloseException",
            "ends true",
            "ShutdownChannelGroupException"),
        first.told);
    assertEquals(first, connections(7));
  }

  private static <T> T result(Callable<T> code) {
    var results = new ArrayList<T>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", _ -> results.add(code.call()));
      world.runUntil(() -> !results.isEmpty(), HOUR);
    }
    return results.getFirst();
  }

  @Test
  void handlersOfAFile_areNotCalledByEachOther() {
    assertEquals(20_000, result(AsyncChannels::file));
  }

  @Test
  void handlersOfAFile_areCalledByThePoolOfTheProgram() {
    assertEquals("end -1 ours", result(AsyncChannels::handler));
  }

  @Test
  void accept_groupIsShutDownMeanwhile_closesTheConnection() {
    assertEquals(-1, result(AsyncChannels::acceptedTooLate));
  }
}
