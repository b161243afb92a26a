package dev.rondo.cluster;

import dev.rondo.cluster.config.EtcdServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// What lies between a node and its etcd: it can be cut, and lose what etcd answers.
final class EtcdLink implements AutoCloseable {

  /// What it does with what comes.
  enum State {
    /// Carries it.
    WHOLE,
    /// Keeps back the answers of etcd until it is whole again.
    LATE,
    /// Carries what the node sends; what etcd answers is lost.
    WITHOUT_ANSWERS,
    /// Loses all.
    SILENT
  }

  private final InetSocketAddress etcd;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile State state = State.WHOLE;

  EtcdLink(InetSocketAddress etcd) throws IOException {
    this.etcd = etcd;
    this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    var _ = Thread.startVirtualThread(this::acceptAll);
  }

  EtcdServers servers() {
    return EtcdServers.local((InetSocketAddress) listening.getLocalSocketAddress());
  }

  /// Connections that have lost something are closed when the link is whole again.
  synchronized void set(State now) {
    State before = state;
    state = now;
    notifyAll();
    if (now == State.WHOLE && before != State.LATE) {
      closeAll();
    }
  }

  private synchronized State awaitNotLate() throws InterruptedException {
    while (state == State.LATE) {
      wait();
    }
    return state;
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket node = listening.accept();
        var server = new Socket();
        sockets.addAll(List.of(node, server));
        var _ = Thread.startVirtualThread(() -> connect(node, server));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void connect(Socket node, Socket server) {
    try {
      server.connect(etcd);
      var _ = Thread.startVirtualThread(() -> carry(server, node, State.LATE));
      carry(node, server, State.WITHOUT_ANSWERS);
    } catch (IOException e) {
      close(node);
    }
  }

  /// Carries bytes up to a state.
  private void carry(Socket from, Socket to, State last) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] bytes = new byte[1 << 13];
      for (int read; (read = in.read(bytes)) >= 0; ) {
        State now = last == State.LATE ? awaitNotLate() : state;
        if (now.compareTo(last) <= 0) {
          out.write(bytes, 0, read);
        }
      }
    } catch (IOException | InterruptedException e) {
      // One of both is closed.
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void closeAll() {
    sockets.forEach(EtcdLink::close);
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    closeAll();
  }
}
