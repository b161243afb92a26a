package dev.rondo.benchmarks;

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
import java.util.Arrays;
import java.util.List;

/// The clients of an echo server, with one message under way on each connection: one thread, with a
/// plain selector loop.
final class EchoGenerator implements AutoCloseable {

  /// Latencies are counted in classes of 1 us; the last class takes all above.
  private static final int MOST_MICROS = 200_000;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

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
  private final ByteBuffer in = ByteBuffer.allocateDirect(4 * EchoLoad.MESSAGE_BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(EchoLoad.MESSAGE_BYTES);
  private final int[] counts = new int[MOST_MICROS + 1];
  private long messages;
  private boolean ending;

  EchoGenerator(int port, int connections) throws IOException {
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
      selector.select(key -> {
        if (received((Client) key.attachment())) {
          underWay[0]--;
        }
      });
    }
  }

  private void send(Client client) throws IOException {
    client.sentNanos = System.nanoTime();
    client.missing = EchoLoad.MESSAGE_BYTES;
    if (client.channel.write(out.clear()) != EchoLoad.MESSAGE_BYTES) {
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
      messages++;
      counts[(int) Math.min(MOST_MICROS, (System.nanoTime() - client.sentNanos) / 1_000)]++;
      if (!ending) {
        send(client);
      }
      return ending;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  void reset() {
    messages = 0;
    Arrays.fill(counts, 0);
  }

  long messages() {
    return messages;
  }

  double percentileMicros(int percent) {
    long below = messages * percent / 100;
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen > below) {
        return i;
      }
    }
    return MOST_MICROS;
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.channel.close();
    }
    selector.close();
  }
}
