package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A program of docs/modules/simulation.md.
final class EchoExampleTest {

  @Test
  void answerAfterAnHour_takesNoRealTime() {
    var clock = new VirtualClock();
    var network = SimulatedNetwork.on(clock);
    var address = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 7);

    try (Scheduler scheduler = clock.scheduler(Scheduler.builder())) {
      WaitForIO io = network.host("host", "10.0.0.1").install(scheduler);
      scheduler.spawn(
          "server",
          () -> {
            try (TcpListener listener = io.listen(address);
                TcpSocket peer = listener.accept()) {
              WaitForTime.on(scheduler).sleep(Duration.ofHours(1));
              peer.write(ByteBuffer.wrap(new byte[] {42}));
            }
          });
      scheduler.spawn(
          "client",
          () -> {
            try (TcpSocket socket = io.connect(address)) {
              socket.readFully(ByteBuffer.allocate(1));
            }
          });
      scheduler.start();
    }
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }
}
