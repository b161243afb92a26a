package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
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

/// Two members, and an address to which connecting does not end, or that takes in nothing.
final class UnreachableTest {

  private static final int MESSAGES = 20;

  private final EngineMember a = new EngineMember("a");
  private final EngineMember b = new EngineMember("b");
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  /// Makes sockets that do not connect to one port, or send to it what a connection begins with.
  private final class Sockets extends DefaultSocketFactory {

    private final int port;
    private final boolean connects;

    Sockets(int port, boolean connects) {
      this.port = port;
      this.connects = connects;
    }

    @Override
    public Socket createSocket(String name) {
      return new Socket() {
        @Override
        public void connect(SocketAddress to, int millis) throws IOException {
          if (((InetSocketAddress) to).getPort() == port && !connects) {
            blockUntilTheEnd();
          }
          super.connect(to, millis);
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
          OutputStream out = super.getOutputStream();
          return getPort() == port ? new Full(out, this) : out;
        }
      };
    }
  }

  private void blockUntilTheEnd() throws SocketException {
    blocked.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new SocketException("interrupted");
    }
  }

  /// Takes one packet. Writing another ends when the socket is closed.
  private final class Full extends FilterOutputStream {

    private final Socket socket;
    private boolean hasWritten;

    Full(OutputStream out, Socket socket) {
      super(out);
      this.socket = socket;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (hasWritten) {
        blocked.countDown();
        var _ = socket.getInputStream().read();
      }
      hasWritten = true;
      out.write(bytes, offset, length);
    }
  }

  @AfterEach
  void leave() {
    a.engine.leave();
    b.engine.leave();
    end.countDown();
  }

  private void send(EngineMember from, ServerSocket silent, boolean connects) throws Exception {
    TP transport = from.engine.channel().getProtocolStack().getTransport();
    transport.setSocketFactory(new Sockets(silent.getLocalPort(), connects));
    var address = new IpAddress("localhost", silent.getLocalPort());
    var _ = transport.down(new EmptyMessage(address));
    assertTrue(blocked.await(EngineMember.HANG_SECONDS, TimeUnit.SECONDS));
  }

  private void requireMessages() throws Exception {
    a.awaitMembers(2);
    b.awaitMembers(2);
    for (int i = 0; i < MESSAGES; i++) {
      a.send(b, "ping " + i);
      b.awaitWord("ping " + i);
      b.send(a, "pong " + i);
      a.awaitWord("pong " + i);
    }
  }

  /// Leaving ends the thread that connects, too.
  @Test
  @Timeout(3 * EngineMember.HANG_SECONDS)
  void messages_whileConnectingToAnAddressDoesNotEnd_arrive() throws Exception {
    a.join(List.of());
    b.join(List.of(a.engine.address()));
    try (var silent = new ServerSocket(0)) {
      send(a, silent, false);
      requireMessages();
    }
  }

  /// A view closes connections to addresses that are no members.
  @Test
  @Timeout(3 * EngineMember.HANG_SECONDS)
  void aView_whileAConnectionTakesInNothing_isInstalled() throws Exception {
    a.join(List.of());
    try (var silent = new ServerSocket(0)) {
      send(a, silent, true);
      b.join(List.of(a.engine.address()));
      requireMessages();
    }
  }

  @Test
  @Timeout(3 * EngineMember.HANG_SECONDS)
  void leaving_whileAConnectionTakesInNothing_ends() throws Exception {
    a.join(List.of());
    b.join(List.of(a.engine.address()));
    try (var silent = new ServerSocket(0)) {
      send(a, silent, true);
      a.engine.leave();
    }
  }
}
