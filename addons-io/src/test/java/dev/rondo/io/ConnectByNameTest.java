package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// [WaitForIO#connect(String, int)], as a program uses it.
class ConnectByNameTest {

  private record Hosts(List<InetAddress> addresses) implements NameResolver {

    static Hosts of(String... literals) {
      return new Hosts(List.of(literals).stream().map(InetAddress::ofLiteral).toList());
    }

    @Override
    public List<InetAddress> addresses(String host) {
      return addresses;
    }

    @Override
    public String name(InetAddress address) throws UnknownHostException {
      throw new UnknownHostException();
    }
  }

  /// An address at which connections receive no answer, because its backlog is full.
  private static final class BlackHole implements AutoCloseable {

    private static final int MORE_THAN_ENOUGH = 5;

    private final ServerSocketChannel channel = ServerSocketChannel.open();
    private final List<SocketChannel> filling = new ArrayList<>();

    BlackHole(String literal) throws IOException {
      channel.bind(new InetSocketAddress(InetAddress.ofLiteral(literal), 0), 1);
      for (int i = 0; i < MORE_THAN_ENOUGH; i++) {
        SocketChannel each = SocketChannel.open();
        filling.add(each);
        each.configureBlocking(false);
        each.connect(channel.getLocalAddress());
      }
    }

    int port() throws IOException {
      return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel each : filling) {
        each.close();
      }
      channel.close();
    }
  }

  @OnEveryBackend
  void connect_firstAddressDoesNotAnswer_nextIsTriedBesideIt(IoRig rig) throws Exception {
    rig.run(world -> {
      WaitForName.on(world.scheduler()).resolver(Hosts.of("127.0.0.2", "127.0.0.1"));
      try (var silent = new BlackHole("127.0.0.2");
          var listener =
              world
                  .io()
                  .listen(
                      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), silent.port()))) {
        Task<TcpSocket> client =
            world.scheduler().spawn(() -> world.io().connect("any.test", listener.port()));
        while (world.timer().armed() == 0) {
          world.scheduler().yield();
        }
        world.timer().fire();
        try (var connected = client.join()) {
          assertEquals(listener.localAddress(), connected.remoteAddress());
        }
        listener.accept().close();
      }
    });
  }

  @OnEveryBackend
  void connect_numericAddress_needsNoTaskNorTimerNorThread(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var listener = world.listen()) {
        int before = world.scheduler().tasks().size();
        var most = new int[1];
        Task<Void> watching =
            world.spawn("watching", () -> most[0] = world.scheduler().tasks().size());
        world.io().connect("127.0.0.1", listener.port()).close();
        watching.join();
        assertTrue(most[0] <= before + 2, "tasks: " + most[0] + " of " + before); // and names
        listener.accept().close();
      }
    });
  }

  /// Without a timer there is no race: the addresses are tried one after another.
  @OnEveryBackend
  void connect_withoutTimer_triesTheNextWhenOneFails(IoRig rig) throws Exception {
    var failures = new ArrayList<Throwable>();
    try (Scheduler scheduler = rig.newScheduler(failures)) {
      WaitForIO io = WaitForIO.on(scheduler);
      WaitForName.on(scheduler).resolver(Hosts.of("127.0.0.2", "127.0.0.1"));
      scheduler.spawn(() -> {
        var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        try (var listener = io.listen(address);
            var client = io.connect("any.test", listener.port());
            var server = listener.accept()) {
          client.write("x\n");
          assertEquals("x", server.readLine(10));
        }
      });
      scheduler.start();
    }
    assertEquals(List.of(), failures);
  }

  @OnEveryBackend
  void connect_badArguments_areRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      for (int port : new int[] {-1, 0, 65_536}) {
        assertThrows(IllegalArgumentException.class, () -> world.io().connect("127.0.0.1", port));
      }
      assertThrows(IllegalArgumentException.class, () -> world.io().connect(" ", 1));
    });
  }
}
