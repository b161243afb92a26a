package dev.rondo.simulation.blocking;

import static java.util.Objects.requireNonNull;

import dev.rondo.exploration.Choices;
import dev.rondo.simulation.World;
import dev.rondo.simulation.blocking.internal.AgentSetup;
import dev.rondo.simulation.blocking.internal.BlockingHosts;

/// Programs that are written for threads, on the hosts of a [World], unmodified.
///
/// ```
/// try (World world = BlockingJava.in(World.withSeed(42))) {
///   world.host("server", host -> new Server(new ServerSocket(7)).run());
///   world.host("client", host -> .. Executors.newFixedThreadPool(10) ..);
///   world.runFor(Duration.ofHours(1)); // virtual
/// }
/// ```
///
/// Each thread of such a program is a task of its host. It has a turn until it waits; which thread
/// is next is a choice. Its clocks, sleeps and timeouts are those of the host.
///
/// Needs a JVM with the [BlockingAgent].
public final class BlockingJava {

  private BlockingJava() {}

  /// Lets the hosts that are added from now on run programs that are written for threads.
  ///
  /// @param world without hosts
  /// @return the world
  /// @throws IllegalStateException if the JVM lacks the agent or a flag; the message names it
  public static World in(World world) {
    requireNonNull(world, "world is null");
    if (!AgentSetup.isInstalled()) {
      throw new IllegalStateException(
          "programs that are written for threads need an agent: start the JVM with -javaagent:rondo-addons-blocking.jar");
    }
    if (!(world.random() instanceof Choices choices)) {
      throw new AssertionError("a world draws from its choices: " + world);
    }
    return world.applications(new BlockingHosts(choices)::configure);
  }
}
