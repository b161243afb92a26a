package dev.rondo.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.EmptyMessage;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.DefaultSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two voters, to which an address belongs that never answers: connecting to it does not end.
final class UnreachableTest {

  private static final List<String> NAMES = List.of("a", "b");
  private static final int COMMANDS = 20;

  @TempDir Path folder;
  private final EngineVoter a = new EngineVoter("a");
  private final EngineVoter b = new EngineVoter("b");
  private final CountDownLatch connecting = new CountDownLatch(NAMES.size());
  private final CountDownLatch end = new CountDownLatch(1);

  /// Makes sockets that never connect to one port, or as others do.
  private final class Sockets extends DefaultSocketFactory {

    private final int unreachable;

    Sockets(int unreachable) {
      this.unreachable = unreachable;
    }

    @Override
    public Socket createSocket(String name) {
      return new Socket() {
        @Override
        public void connect(SocketAddress to, int millis) throws IOException {
          if (((InetSocketAddress) to).getPort() == unreachable) {
            connecting.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              throw new SocketException("interrupted");
            }
          }
          super.connect(to, millis);
        }
      };
    }
  }

  @AfterEach
  void leave() {
    a.engine.leave();
    b.engine.leave();
    end.countDown();
  }

  /// Leaving ends the threads that connect, too.
  @Test
  @Timeout(3 * EngineVoter.HANG_SECONDS)
  void commands_whileAnAddressDoesNotAnswer_areAgreedOn() throws Exception {
    a.join(EngineVoter.config("a", List.of(), NAMES, folder));
    b.join(EngineVoter.config("b", List.of(a.engine.address()), NAMES, folder));
    var _ = EngineVoter.leader(a, b);
    try (var silent = new ServerSocket(0)) {
      for (EngineVoter each : List.of(a, b)) {
        TP transport = each.engine.channel().getProtocolStack().getTransport();
        transport.setSocketFactory(new Sockets(silent.getLocalPort()));
        var address = new IpAddress("localhost", silent.getLocalPort());
        var _ = transport.down(new EmptyMessage(address));
      }
      var _ = connecting.await(EngineVoter.HANG_SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < COMMANDS; i++) {
        for (EngineVoter each : List.of(a, b)) {
          String command = i + " of " + each;
          each.propose(command);
          a.awaitApplied(command);
          b.awaitApplied(command);
        }
      }
    }
  }
}
