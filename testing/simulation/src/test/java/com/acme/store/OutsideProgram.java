package com.acme.store;

import dev.rondo.application.Application;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.simulation.OutsideAgent;
import dev.rondo.simulation.OutsidePolicy;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs worlds whose hosts leave the simulation, in a JVM with the agent, and prints what each
/// comes to: a line `== name`, and those of its message and of the top of its stack.
final class OutsideProgram {

  private OutsideProgram() {}

  /// Has a call of the real clock, and is loaded before the agent is attached.
  private static final class Loaded {
    static long now() {
      return System.currentTimeMillis();
    }
  }

  public static void main(String[] args) throws IOException {
    if (List.of(args).contains("attach")) {
      long _ = Loaded.now();
      OutsideAgent.attach();
    }
    print(
        "agent",
        () -> Boolean.getBoolean("dev.rondo.outside.loaded") ? "is there" : "is not there");
    run("loaded", host -> System.out.println(Loaded.now() > 0));
    run("clock", host -> System.out.println(System.nanoTime() != 0));
    run(
        "reference",
        host -> {
          Supplier<Instant> now = Instant::now;
          System.out.println(now.get() != null);
        });
    run("random", host -> System.out.println(new Random() != null));
    run("thread", host -> new Thread(() -> {}).start());
    run("barrier", host -> System.out.println(new CyclicBarrier(1).await()));
    run("socket", host -> SocketChannel.open().close());
    run(
        "blocking",
        host ->
            Application.current()
                .blocking(() -> {
                  System.out.println(System.nanoTime() != 0);
                  return null;
                }));
    run("future", OutsideProgram::awaitFuture);
    run("none", host -> host.application().sleep(Duration.ofSeconds(1)));
    System.out.println("== between" + (System.nanoTime() == 0 ? "" : "\nnothing"));
    run(
        "bound",
        world -> world.applications(it -> it.backend(CoroutineBackends.bound())),
        host -> {
          host.application().sleep(Duration.ofSeconds(1));
          System.out.println(System.nanoTime() != 0);
        });
    run(
        "warning",
        world -> world.outsideCalls(OutsidePolicy.WARN),
        host -> {
          for (int i = 0; i < 3; i++) {
            System.out.println(System.nanoTime() != 0);
          }
        });
    run(
        "ignoring",
        world -> world.outsideCalls(OutsidePolicy.IGNORE),
        host -> System.out.println(System.nanoTime() != 0));
    Consumer<World> clocks = world -> world.allowOutsideCalls("*OutsideProgram.*", "*.nanoTime()");
    run("except", clocks, host -> System.out.println(System.nanoTime() != 0));
    run("excepted others", clocks, host -> System.out.println(System.currentTimeMillis() != 0));
  }

  /// The scheduler keeps futures in a map by their identity.
  private static void awaitFuture(WorldHost host) {
    Application app = host.application();
    var future = new CompletableFuture<String>();
    var waits = app.spawn(() -> app.await(app.scheduler().completion(future)));
    app.yield();
    System.out.println(future.complete("done") + " " + waits.join());
  }

  private static void print(String name, Supplier<String> result) {
    System.out.println("== " + name + "\n" + result.get());
  }

  private static void run(String name, WorldHost.Main main) {
    run(name, world -> {}, main);
  }

  private static void run(String name, Consumer<World> settings, WorldHost.Main main) {
    System.out.println("== " + name);
    try (World world = World.withSeed(1)) {
      settings.accept(world);
      var _ = world.host("store", main);
      world.runFor(Duration.ofMinutes(1));
      System.out.println("ended");
    } catch (SimulationFailedError e) {
      System.out.println(e.getMessage());
      Throwable cause = e.getCause();
      System.out.println(cause == null ? "no cause" : "at " + cause.getStackTrace()[0]);
    }
  }
}
