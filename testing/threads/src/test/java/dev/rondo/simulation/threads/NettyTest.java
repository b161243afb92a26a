package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.NettyEcho;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A library for NIO that knows nothing of the simulation, with event loops and timers of its own.
final class NettyTest {

  private record Story(List<String> told, Duration elapsed, long digest) {}

  private static Story run(long seed) {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host("server", BlockingJava.program(NettyEcho.Server.class));
      Consumer<String> tell = told::add;
      world.host("client", BlockingJava.program(NettyEcho.Client.class, tell));
      world.runUntil(() -> told.contains("end"), Duration.ofHours(1));
      return new Story(List.copyOf(told), world.elapsed(), world.digest());
    }
  }

  @Test
  void echo_ofNetty_isSimulated_withItsTimers() {
    Story story = run(7);
    assertEquals(List.of("received 0", "received 1", "received 2", "end"), story.told());
    assertTrue(story.elapsed().compareTo(Duration.ofMinutes(3)) > 0, story::toString);
    assertEquals(story, run(7));
  }
}
