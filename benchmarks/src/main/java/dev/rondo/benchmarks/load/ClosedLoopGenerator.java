package dev.rondo.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The clients of a server, with one open request on each connection. One thread runs a plain
/// selector loop.
public final class ClosedLoopGenerator implements AutoCloseable {

  private static final int BUFFER_BYTES = 1_024;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int DIGITS = 3;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// The connection whose answer is read first, and that sends next, if several answers are there.
  enum Order {
    /// The order of the system. With `epoll` this order does not depend on the waiting time.
    AS_LISTED,
    /// The request that was sent first.
    OLDEST_FIRST
  }

  private static final class Client {
    final SocketChannel channel;
    long sentNanos;
    int missing;

    Client(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private final Selector selector = Selector.open();
  private final List<Client> clients = new ArrayList<>();
  private final List<Client> readable = new ArrayList<>();
  private final Order order;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer out;
  private final int answerBytes;
  private final Histogram micros = new Histogram(DIGITS);
  private boolean ending;

  /// The clients of an echo server.
  ClosedLoopGenerator(int port, int connections) throws IOException {
    this(port, connections, Exchange.ECHO, Order.AS_LISTED);
  }

  ClosedLoopGenerator(int port, int connections, Exchange exchange, Order order)
      throws IOException {
    out = exchange.request();
    answerBytes = exchange.answerBytes();
    this.order = order;
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = connect(port);
      var client = new Client(channel);
      channel.register(selector, SelectionKey.OP_READ, client);
      clients.add(client);
    }
  }

  /// {@return a connection to a server of this machine, not blocking}
  static SocketChannel connect(int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return channel;
  }

  /// Runs for a while; every message has returned when this method does.
  void run(double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * NANOS_PER_SECOND);
    ending = false;
    int[] underWay = {clients.size()};
    for (Client client : clients) {
      send(client);
    }
    while (underWay[0] > 0) {
      ending = System.nanoTime() - end >= 0;
      selector.select(key -> readable.add((Client) key.attachment()));
      if (order == Order.OLDEST_FIRST) {
        readable.sort(Comparator.comparingLong(client -> client.sentNanos));
      }
      for (Client each : readable) {
        if (received(each)) {
          underWay[0]--;
        }
      }
      readable.clear();
    }
  }

  private void send(Client client) throws IOException {
    client.sentNanos = System.nanoTime();
    client.missing = answerBytes;
    if (client.channel.write(out.clear()) != out.capacity()) {
      throw new IOException("a message of this size did not fit into the socket's buffer");
    }
  }

  /// @return whether that was the connection's last message
  private boolean received(Client client) {
    try {
      int n = client.channel.read(in.clear());
      if (n < 0) {
        throw new EOFException("the server has closed a connection");
      }
      client.missing -= n;
      if (client.missing > 0) {
        return false;
      }
      micros.recordValue((System.nanoTime() - client.sentNanos) / NANOS_PER_MICRO);
      if (!ending) {
        send(client);
      }
      return ending;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  void reset() {
    micros.reset();
  }

  long messages() {
    return micros.getTotalCount();
  }

  double percentileMicros(double percent) {
    return micros.getValueAtPercentile(percent);
  }

  /// {@return the latencies, including estimates for the requests that a connection could not send
  /// because of a slow answer} `wrk` adds such estimates too.
  ///
  /// @param seconds the time in which the requests were sent
  Histogram correctedMicros(double seconds) {
    double interval = seconds * NANOS_PER_SECOND / NANOS_PER_MICRO * clients.size() / messages();
    return micros.copyCorrectedForCoordinatedOmission((long) interval);
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.channel.close();
    }
    selector.close();
  }
}
