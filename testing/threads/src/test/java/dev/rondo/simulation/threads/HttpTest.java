package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.HttpPair;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.simulation.World;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server and both clients of HTTP that the JDK has, with retries and a circuit breaker of
/// Resilience4j, under a partition. Each run happens twice.
final class HttpTest {

  private static final int SEEDS = Integer.getInteger("blocking.seeds", 2);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requests_underAPartition_areAnsweredAgainAfterIt(boolean urls) {
    for (long seed = 0; seed < SEEDS; seed++) {
      var told = new ArrayList<String>();
      var again = new ArrayList<String>();
      assertEquals(run(seed, urls, told), run(seed, urls, again), "digests with seed " + seed);
      assertEquals(told, again);
      assertTrue(told.contains("answered 0"), told.toString());
      assertTrue(told.contains("breaker OPEN"), told.toString());
      assertTrue(told.contains("breaker CLOSED"), told.toString());
      assertTrue(told.contains("answered 99"), told.toString());
    }
  }

  private static long run(long seed, boolean urls, List<String> told) {
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      var server = world.host("server", BlockingJava.program(HttpPair.Server.class));
      var client =
          world.host(
              "client",
              BlockingJava.program(HttpPair.Client.class, urls, 100, (Consumer<String>) told::add));
      var link = world.network().link(server.simulated(), client.simulated());
      world.runFor(Duration.ofSeconds(20));
      link.cut();
      world.runFor(Duration.ofSeconds(40));
      link.heal();
      world.runUntil(() -> told.contains("end"), Duration.ofDays(1));
      return world.digest();
    }
  }

  @Test
  void clients_areNumberedFromTheFirstOn_inEachProgram() {
    var names = new ArrayList<String>();
    for (int run = 0; run < 2; run++) {
      int before = names.size();
      try (World world = BlockingJava.in(World.withSeed(3))) {
        world.host("server", BlockingJava.program(HttpPair.Server.class));
        world.host(
            "client",
            BlockingJava.program(HttpPair.NamingClient.class, (Consumer<String>) names::add));
        world.runUntil(() -> names.size() > before, Duration.ofMinutes(1));
      }
    }
    assertEquals(List.of("HttpClient-1-SelectorManager", "HttpClient-1-SelectorManager"), names);
  }

  @Test
  void requests_overTls_areAnswered() throws Exception {
    var told = new ArrayList<String>();
    assertEquals(runSecurely(told), runSecurely(told));
    assertEquals(List.of("204", "204", "204", "204"), told);
  }

  private static long runSecurely(List<String> told) throws Exception {
    int before = told.size();
    KeyStore _ = Certificates.keys("server"); // made before the run
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host(
          "server",
          BlockingJava.program(
              HttpPair.SecureServer.class,
              (Callable<SSLContext>) () -> Certificates.context("server")));
      world.host(
          "client",
          BlockingJava.program(
              HttpPair.SecureClient.class,
              Certificates.context(null, "server"),
              (Consumer<String>) told::add));
      world.runUntil(() -> told.size() == before + 2, Duration.ofMinutes(1));
      return world.digest();
    }
  }
}
