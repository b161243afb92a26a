package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// What is drawn as 0 is the calm choice: no fault, and the shortest time.
final class CalmChoicesTest {

  private static final RandomGenerator ZEROS = () -> 0;
  private static final int PORT = 7;

  @Test
  void links_zeros_loseAndRepeatNothing_andAreQuick() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork().random(ZEROS);
    SimulatedHost client = network.host("client", "10.0.0.1");
    SimulatedHost server = network.host("server", "10.0.0.2");
    network
        .links()
        .latency(SimulatedLatency.exponential(Duration.ofMillis(2), Duration.ofMillis(9)))
        .loss(0.9)
        .duplication(0.9);
    var address = new InetSocketAddress(server.addresses().getFirst(), PORT);
    try (DatagramChannel receiver = server.provider().openDatagramChannel();
        DatagramChannel sender = client.provider().openDatagramChannel()) {
      receiver.bind(address);
      int _ = sender.send(ByteBuffer.allocate(1), address);
      var _ = receiver.receive(ByteBuffer.allocate(1));
      assertEquals(Duration.ofMillis(2), network.elapsed());
      assertThrows(
          SimulationStalledException.class, () -> receiver.receive(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void links_latencyOfARange_isTheLeast() {
    for (SimulatedLatency each :
        new SimulatedLatency[] {
          SimulatedLatency.uniform(Duration.ofMillis(3), Duration.ofMillis(9)),
          SimulatedLatency.exponential(Duration.ofMillis(3), Duration.ofMillis(9)),
          SimulatedLatency.normal(Duration.ofMillis(3), Duration.ofMillis(9))
        }) {
      assertEquals(3_000_000, each.draw(() -> ZEROS), each.toString());
    }
  }

  @Test
  void disk_zeros_doesNotFail_andKeepsAll() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(ZEROS);
    for (DiskOperation each : DiskOperation.values()) {
      disk.failures(each, "**", 0.9);
    }
    Path file = disk.path("/log");
    for (int i = 0; i < 3; i++) {
      Files.write(file, new byte[1_000], CREATE, WRITE);
    }
    Files.writeString(file, "kept", UTF_8);
    try (FileChannel channel = FileChannel.open(file, WRITE)) {
      channel.force(true);
    }
    Files.writeString(file, "kept, although not forced", UTF_8);
    disk.powerLost();
    assertEquals("kept, although not forced", Files.readString(file, UTF_8));
  }
}
