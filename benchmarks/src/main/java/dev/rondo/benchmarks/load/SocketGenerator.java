package dev.rondo.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The clients of a WebSocket server (RFC 6455), on one thread with a plain selector loop. Either
/// each client sends its next text when the last one has returned, or the first client sends its
/// next text when all clients have received the last.
public final class SocketGenerator implements AutoCloseable {

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int DIGITS = 3;
  private static final int TEXT_BYTES = 64;

  private static final int BUFFER_BYTES = 4_096;

  /// The number of clients that ask for a socket at once.
  private static final int AT_ONCE = 64;

  private static final byte FINAL_TEXT = (byte) 0x81;
  private static final byte FINAL_PING = (byte) 0x89;
  private static final byte FINAL_PONG = (byte) 0x8A;
  private static final byte MASKED = (byte) 0x80;
  private static final int MASK = 0x1234_5678;
  private static final String END_OF_HEAD = "\r\n\r\n";

  private static final class Client {
    final SocketChannel channel;
    long sentNanos;

    /// The first byte of the frame that is being received; 0 between frames.
    private byte first;

    /// The number of missing bytes; -1 while the length byte is missing.
    private int missing;

    Client(SocketChannel channel) {
      this.channel = channel;
    }

    /// Takes bytes up to the end of a frame, whose content does not matter.
    ///
    /// @return the frame's first byte; 0 if the frame is not complete
    byte nextFrame(ByteBuffer in) throws IOException {
      while (in.hasRemaining()) {
        if (first == 0) {
          first = in.get();
          missing = -1;
        } else if (missing < 0) {
          missing = in.get();
          if (missing < 0 || missing > TEXT_BYTES) {
            throw new IOException("a frame of this length was not expected: " + missing);
          }
        } else {
          int taken = Math.min(missing, in.remaining());
          in.position(in.position() + taken);
          missing -= taken;
        }
        if (missing == 0) {
          byte complete = first;
          first = 0;
          return complete;
        }
      }
      return 0;
    }
  }

  private final Selector selector = Selector.open();
  private final List<Client> clients = new ArrayList<>();
  private final boolean echo;
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer out = frame(FINAL_TEXT, TEXT_BYTES);
  private final ByteBuffer pong = frame(FINAL_PONG, 0);
  private final Histogram latencies = new Histogram(DIGITS);
  private int underWay;
  private boolean ending;
  private long endNanos;

  /// @param echo whether each text comes back only to its sender
  SocketGenerator(int port, String path, int connections, boolean echo) throws IOException {
    this.echo = echo;
    while (clients.size() < connections) {
      int begin = clients.size();
      for (int i = begin; i < Math.min(begin + AT_ONCE, connections); i++) {
        SocketChannel channel = ClosedLoopGenerator.connect(port);
        channel.configureBlocking(true);
        ask(channel, path);
        clients.add(new Client(channel));
      }
      for (Client each : clients.subList(begin, clients.size())) {
        receiveAnswer(each.channel);
        each.channel.configureBlocking(false);
        each.channel.register(selector, SelectionKey.OP_READ, each);
      }
    }
  }

  /// {@return a frame of a client}
  private static ByteBuffer frame(byte first, int bytes) {
    ByteBuffer made = ByteBuffer.allocateDirect(2 + Integer.BYTES + bytes);
    made.put(first).put((byte) (MASKED | bytes)).putInt(MASK);
    for (int i = 0; i < bytes; i++) {
      made.put((byte) ('a' ^ (MASK >> (Byte.SIZE * (3 - i % Integer.BYTES)))));
    }
    return made.flip();
  }

  private static void ask(SocketChannel channel, String path) throws IOException {
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                .formatted(path)
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
  }

  private static void receiveAnswer(SocketChannel channel) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1); // bytes after the head do not belong to it
    var head = new StringBuilder();
    while (head.indexOf(END_OF_HEAD) < 0) {
      if (channel.read(one.clear()) < 0) {
        throw new EOFException("the server has closed the connection: " + head);
      }
      head.append((char) one.get(0));
    }
    if (!head.toString().startsWith("HTTP/1.1 101")) {
      throw new IOException("this is no WebSocket: " + head);
    }
  }

  /// Sends for a while; every text has arrived when this method returns.
  LoadReport run(double seconds) throws IOException {
    latencies.reset();
    long begin = System.nanoTime();
    endNanos = begin + (long) (seconds * NANOS_PER_SECOND);
    ending = false;
    underWay = 0;
    if (echo) {
      for (Client each : clients) {
        expect(each, begin);
        send(each);
      }
    } else {
      sendToAll();
    }
    while (underWay > 0) {
      selector.select(key -> received((Client) key.attachment()));
    }
    double took = System.nanoTime() - begin;
    double texts = latencies.getTotalCount();
    return new LoadReport(
        texts, texts * NANOS_PER_SECOND / took, micros(50), micros(99), micros(99.9));
  }

  private double micros(double percentile) {
    return (double) latencies.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  private void expect(Client client, long now) {
    client.sentNanos = now;
    underWay++;
  }

  private void send(Client client) throws IOException {
    send(client, out);
  }

  private static void send(Client client, ByteBuffer frame) throws IOException {
    if (client.channel.write(frame.rewind()) != frame.capacity()) {
      throw new IOException("a frame did not fit into the socket's buffer");
    }
  }

  private void sendToAll() throws IOException {
    long now = System.nanoTime();
    for (Client each : clients) {
      expect(each, now);
    }
    send(clients.getFirst());
  }

  private void received(Client client) {
    try {
      int n = client.channel.read(in.clear());
      if (n < 0) {
        throw new EOFException("the server has closed a connection");
      }
      in.flip();
      for (byte frame; (frame = client.nextFrame(in)) != 0; ) {
        switch (frame) {
          case FINAL_TEXT -> receivedText(client);
          case FINAL_PING -> send(client, pong);
          default -> throw new IOException("a frame of this kind was not expected: " + frame);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void receivedText(Client client) throws IOException {
    long now = System.nanoTime();
    latencies.recordValue(now - client.sentNanos);
    underWay--;
    ending |= now - endNanos >= 0;
    if (ending) {
      return;
    }
    if (echo) {
      expect(client, now);
      send(client);
    } else if (underWay == 0) {
      sendToAll();
    }
  }

  @Override
  public void close() throws IOException {
    for (Client each : clients) {
      each.channel.close();
    }
    selector.close();
  }
}
