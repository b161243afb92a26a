package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Chaos that a program notices in what one read of a stream returns, and in nothing else.
@EveryBackend
final class ChaosOfStreamsTest extends BackendTest {

  private static final int PORT = 7;
  private static final int FRAME = 8;
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final Duration HOUR = Duration.ofHours(1);

  private long whole;
  private long parts;
  private World world;

  @AfterEach
  void close() {
    world.close();
  }

  /// Takes what one read returns for a frame.
  private void readFrames(WorldHost host) throws IOException {
    try (TcpListener listener =
            host.application().io().listen(new InetSocketAddress(host.address(), PORT));
        TcpSocket socket = listener.accept()) {
      var frame = ByteBuffer.allocate(FRAME);
      while (socket.read(frame.clear()) > 0) {
        if (frame.hasRemaining()) {
          parts++;
        } else {
          whole++;
        }
      }
    }
  }

  private void start(WorldHost reader) {
    world.host("writer", host -> writeFrames(host, reader));
  }

  private static void writeFrames(WorldHost host, WorldHost reader) throws IOException {
    try (TcpSocket socket =
        host.application().io().connect(new InetSocketAddress(reader.address(), PORT))) {
      while (true) {
        socket.write(ByteBuffer.allocate(FRAME));
        host.application().sleep(PERIOD);
      }
    }
  }

  private void open() {
    world = World.withSeed(42).applications(it -> it.backend(backend));
    start(world.host("reader", this::readFrames));
  }

  @Test
  void withoutSplits_eachWriteArrivesAsAWhole() {
    open();
    world.runFor(HOUR);
    assertEquals(0, parts);
    assertTrue(whole > 0);
  }

  @Test
  void splits_deliverTheRestLater_andOnlyWhileTheyLast() {
    open();
    world.chaos(Chaos.splits(0.5).atMostDown(0));
    world.runFor(HOUR);
    world.heal();
    assertTrue(parts > 0);
    world.runFor(Duration.ofSeconds(1));
    long before = parts;
    world.runFor(HOUR);
    assertEquals(before, parts);
  }
}
