package dev.rondo.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.grpc.numbers.Number;
import dev.rondo.grpc.numbers.NumbersGrpc;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Servers and clients of gRPC on simulated hosts.
final class GrpcInWorldTest {

  private static final int PORT = 50;

  private final List<String> told = new ArrayList<>();

  private void serve(WorldHost host) throws IOException {
    Application app = host.application();
    var calls = GrpcCalls.on(app.scheduler());
    var address = new InetSocketAddress(host.address(), PORT);
    var service = new NumbersService(calls);
    try (GrpcServer server = calls.start(calls.serverBuilder(address).addService(service))) {
      app.await(app.shutdownRequested());
      told.add("drained: " + server.shutdown(Duration.ofSeconds(5)));
    }
  }

  private void ask(WorldHost host, WorldHost server) {
    Application app = host.application();
    var calls = GrpcCalls.on(app.scheduler());
    var address = new InetSocketAddress(server.address(), PORT);
    ManagedChannel channel = calls.channelBuilder(address).usePlaintext().build();
    try {
      var stub = NumbersGrpc.newFutureStub(channel);
      for (int i = 1; ; i++) {
        app.sleep(Duration.ofMillis(500));
        var request = Number.newBuilder().setValue(i).build();
        told.add(host.name() + " " + i + " " + answer(app, calls, stub, request));
      }
    } finally {
      var _ = channel.shutdownNow();
    }
  }

  private static String answer(
      Application app, GrpcCalls calls, NumbersGrpc.NumbersFutureStub stub, Number request) {
    try {
      var limit = Duration.ofSeconds(2);
      return "" + app.within(limit, () -> calls.await(stub.square(request))).getValue();
    } catch (StatusRuntimeException e) {
      return "" + e.getStatus().getCode();
    } catch (TimedOutException e) {
      return "too late";
    }
  }

  private WorldHost start(World world) {
    WorldHost server = world.host("server", this::serve);
    world.hosts("client", 2, host -> ask(host, server));
    return server;
  }

  @Test
  void calls_onHosts_areAnsweredInVirtualTime() {
    try (World world = World.withSeed(1)) {
      var _ = start(world);
      world.runFor(Duration.ofSeconds(20));
    }
    assertTrue(told.contains("client-1 30 900"), told::toString);
    assertTrue(told.contains("client-2 30 900"), told::toString);
  }

  @Test
  void terminate_callsGoOn_drainsTheServer() {
    try (World world = World.withSeed(1)) {
      WorldHost server = start(world);
      world.runFor(Duration.ofSeconds(10));
      server.terminate(Duration.ofSeconds(6), Duration.ofSeconds(10));
      world.runFor(Duration.ofSeconds(10));
      assertFalse(server.isUp());
      assertTrue(told.contains("drained: true"), told::toString);
      server.restart();
      told.clear();
      world.runFor(Duration.ofSeconds(30));
    }
    assertTrue(told.contains("client-1 90 8100"), told::toString);
  }

  @Test
  void seed_connectionsAreMadeAgain_hasTheSameRunTwice() {
    World.checkDeterminism(
        4,
        world -> {
          WorldHost server = start(world);
          world.runFor(Duration.ofSeconds(5));
          server.crash();
          world.runFor(Duration.ofSeconds(10));
          server.restart();
          told.clear();
          world.runFor(Duration.ofSeconds(10));
        });
    assertTrue(told.contains("client-1 45 2025"), told::toString);
  }

  @Test
  void seed_answersComeTooLate_hasTheSameRunTwice() {
    var runs = new ArrayList<List<String>>();
    World.checkDeterminism(
        3,
        world -> {
          told.clear();
          var _ = start(world);
          world.network().links().latency(Duration.ofMillis(3));
          world.chaos(Chaos.latencySpikes(Duration.ofSeconds(3)).every(Duration.ofSeconds(10)));
          world.runFor(Duration.ofMinutes(1));
          runs.add(List.copyOf(told));
        });
    assertEquals(runs.getFirst(), runs.getLast());
    assertTrue(runs.getFirst().stream().anyMatch(each -> each.endsWith("too late")));
  }
}
