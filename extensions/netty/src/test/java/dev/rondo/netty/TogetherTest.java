package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Sockets of the IO add-on and channels of Netty in one loop, with timers.
final class TogetherTest extends NettyRig {

  private static final int ROUNDS = 50;

  @Override
  protected NettyTransport transport() {
    return NettyTransport.EPOLL.whyNot() == null ? NettyTransport.EPOLL : NettyTransport.NIO;
  }

  private static void exchange(TcpSocket socket, String text) throws IOException {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    socket.write(ByteBuffer.wrap(sent));
    var answer = ByteBuffer.allocate(sent.length);
    socket.readFully(answer);
    assertEquals(text, new String(answer.array(), StandardCharsets.UTF_8));
  }

  private void serve(NettyChannel channel) throws IOException {
    try (channel) {
      for (Object each; (each = channel.receive()) != null; ) {
        channel.send(each);
      }
    }
  }

  @Test
  void socketsAndChannels_bothWait_bothGoOn() {
    run(() -> {
      WaitForIO io = WaitForIO.on(scheduler);
      try (var listener = listen();
          var sockets = io.listen(anyPort())) {
        var _ = scheduler.spawn("channels", () -> serve(listener.accept()));
        var _ =
            scheduler.spawn(
                "sockets",
                () -> {
                  try (TcpSocket each = sockets.accept()) {
                    var bytes = ByteBuffer.allocate(100);
                    while (each.read(bytes) >= 0) {
                      each.write(bytes.flip());
                      bytes.clear();
                    }
                  }
                });
        Task<Void> crossing =
            scheduler.spawn("socket to channel", () -> ping(io, listener.localAddress()));
        Task<Void> own =
            scheduler.spawn("socket to socket", () -> ping(io, sockets.localAddress()));
        Task<Void> ticking =
            scheduler.spawn(
                "timer",
                () -> {
                  for (int i = 0; i < ROUNDS; i++) {
                    WaitForTime.on(scheduler).sleep(Duration.ofNanos(300_000));
                  }
                });
        crossing.join();
        own.join();
        ticking.join();
      }
    });
  }

  private static void ping(WaitForIO io, SocketAddress address) throws IOException {
    try (TcpSocket socket = io.connect(address)) {
      for (int i = 0; i < ROUNDS; i++) {
        exchange(socket, "round " + i);
      }
    }
  }

  @Test
  void idle_channelsAreOpen_nothingSpins() {
    run(() -> {
      try (var listener = listen();
          var client = connect(listener);
          var server = listener.accept()) {
        Task<Object> receiver = scheduler.spawn(server::receive);
        settle();
        long before = netty.events().sleeps();
        for (int i = 0; i < 3; i++) {
          WaitForTime.on(scheduler).sleep(Duration.ofMillis(100));
        }
        long sleeps = netty.events().sleeps() - before;
        assertTrue(sleeps < 150, "sleeps: " + sleeps);
        assertTrue(ChannelControl.of(client).isOpen());
        receiver.cancel("over");
      }
    });
  }
}
