package dev.rondo.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The clients of a server at a constant rate. A request is due at its time, whether or not the
/// server has answered earlier requests, and its latency counts from that time. So a stall of the
/// server counts for each request that was due meanwhile. The single thread never sleeps, and has a
/// core of its own.
public final class PacedGenerator implements AutoCloseable {

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final int DIGITS = 3;
  private static final int BUFFER_BYTES = 4_096;

  private static final class Client {
    final SocketChannel channel;
    final ArrayDeque<Long> due = new ArrayDeque<>();
    int received;

    Client(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private final Selector selector = Selector.open();
  private final List<Client> clients = new ArrayList<>();
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer out;
  private final int answerBytes;
  private int underWay;
  private @Nullable Histogram latencies;

  PacedGenerator(int port, int connections, Exchange exchange) throws IOException {
    out = exchange.request();
    answerBytes = exchange.answerBytes();
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = ClosedLoopGenerator.connect(port);
      var client = new Client(channel);
      channel.register(selector, SelectionKey.OP_READ, client);
      clients.add(client);
    }
  }

  /// Sends for a while; every message has returned when this method does.
  ///
  /// @return the latencies in nanoseconds
  Histogram run(int perSecond, double seconds) throws IOException {
    var histogram = new Histogram(DIGITS);
    latencies = histogram;
    long pauseNanos = NANOS_PER_SECOND / perSecond;
    long begin = System.nanoTime();
    int messages = (int) (perSecond * seconds);
    int sent = 0;
    while (sent < messages || underWay > 0) {
      while (sent < messages && System.nanoTime() - begin >= sent * pauseNanos) {
        send(clients.get(sent % clients.size()), begin + sent * pauseNanos);
        sent++;
      }
      selector.selectNow(this::receive);
    }
    return histogram;
  }

  private void send(Client client, long dueNanos) throws IOException {
    client.due.add(dueNanos);
    underWay++;
    if (client.channel.write(out.clear()) != out.capacity()) {
      throw new IOException("the server is so far behind that the socket's buffer is full");
    }
  }

  private void receive(SelectionKey key) {
    var client = (Client) key.attachment();
    try {
      int n = client.channel.read(in.clear());
      if (n < 0) {
        throw new EOFException("the server has closed a connection");
      }
      client.received += n;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long now = System.nanoTime();
    for (; client.received >= answerBytes; client.received -= answerBytes) {
      underWay--;
      if (latencies != null) {
        latencies.recordValue(now - client.due.remove());
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.channel.close();
    }
    selector.close();
  }
}
