package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The first failing seed of docs/modules/simulation.md.
final class FirstSeedTest {

  private static final int PORT = 7;

  /// Appends each line that it receives to a file, and answers.
  private static void store(WorldHost host, boolean forces) throws IOException {
    Path log = host.disk().path("/log");
    try (FileChannel file = FileChannel.open(log, CREATE, APPEND);
        TcpListener listener =
            host.application().io().listen(new InetSocketAddress(host.address(), PORT))) {
      host.disk().sync();
      while (true) {
        try (TcpSocket client = listener.accept()) {
          file.write(UTF_8.encode(client.readLine(100) + "\n"));
          if (forces) {
            file.force(true);
          }
          client.write(ByteBuffer.wrap("stored\n".getBytes(UTF_8)));
        }
      }
    }
  }

  private static void client(WorldHost host, WorldHost store, List<String> acknowledged) {
    for (int i = 1; ; i++) {
      host.application().sleep(Duration.ofSeconds(1));
      var address = new InetSocketAddress(store.address(), PORT);
      try (TcpSocket socket = host.application().io().connect(address)) {
        socket.write(ByteBuffer.wrap((i + "\n").getBytes(UTF_8)));
        if ("stored".equals(socket.readLine(100))) {
          acknowledged.add("" + i);
        }
      } catch (IOException e) {
        // the store is down; what it had of the line may be there or not
      }
    }
  }

  private static void run(long seed, boolean forces) throws IOException {
    var acknowledged = new ArrayList<String>();
    try (World world = World.withSeed(seed)) {
      WorldHost store = world.host("store", host -> store(host, forces));
      world.host("client", host -> client(host, store, acknowledged));
      world.chaos(Chaos.powerFailures().on(List.of(store)).atMostDown(1));
      world.runFor(Duration.ofMinutes(5));
      world.heal();
      acknowledged.removeAll(Files.readAllLines(store.disk().path("/log")));
      assertEquals(List.of(), acknowledged, "lost with seed " + seed);
    }
  }

  @Test
  void store_thatDoesNotForce_losesWhatItAcknowledged() {
    long failed = LongStream.range(0, 20).filter(seed -> fails(seed, false)).count();
    assertTrue(failed > 0, "no seed fails");
  }

  @Test
  void store_thatForces_keepsAll() {
    assertEquals(
        List.of(), LongStream.range(0, 20).filter(seed -> fails(seed, true)).boxed().toList());
  }

  private static boolean fails(long seed, boolean forces) {
    try {
      run(seed, forces);
      return false;
    } catch (AssertionError e) {
      return true;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
