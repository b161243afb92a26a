package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Nightly;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/// Many connections at once on one loop: accepted, echoed, closed, with nothing left. Both ends are
/// in this process, so each connection takes two descriptors.
class ManyConnectionsTest {

  @OnEveryBackend
  void connections_1000AtOnce_areEchoedAndLeaveNothing(IoRig rig) throws Exception {
    run(rig, 1_000);
  }

  /// The system property `rondo.test.connections` sets the number of connections.
  @OnEveryBackend
  @Nightly("4,000 connections")
  void connections_asManyAsFit_areEchoedAndLeaveNothing(IoRig rig) throws Exception {
    run(rig, Integer.getInteger("rondo.test.connections", 4_000));
  }

  private static void run(IoRig rig, int connections) throws Exception {
    rig.run(world -> {
      var listener = world.listen();
      world.spawn(
          "acceptor",
          () -> {
            for (int i = 0; i < connections; i++) {
              TcpSocket socket = listener.accept();
              world.spawn(
                  "echo",
                  () -> {
                    try (socket) {
                      var buffer = ByteBuffer.allocate(64);
                      while (socket.read(buffer) >= 0) {
                        socket.write(buffer.flip());
                        buffer.clear();
                      }
                    }
                  });
            }
            listener.close();
          });
      var open = new ArrayList<TcpSocket>();
      for (int i = 0; i < connections; i++) {
        open.add(world.io().connect(listener.localAddress()));
      }
      var clients = new ArrayList<Task<Void>>();
      for (int i = 0; i < connections; i++) {
        int number = i;
        clients.add(
            world.spawn(
                "client",
                () -> {
                  TcpSocket socket = open.get(number);
                  var message = ByteBuffer.allocate(8);
                  for (int round = 0; round < 3; round++) {
                    socket.write(message.clear().putInt(number).putInt(round).flip());
                    socket.readFully(message.clear());
                    assertEquals(number, message.getInt(0));
                    assertEquals(round, message.getInt(4));
                  }
                }));
      }
      clients.forEach(Task::join);
      assertEquals(2 * connections, ChannelFigures.of(world.scheduler()).open());
      for (TcpSocket each : open) {
        each.close();
      }
    });
  }
}
