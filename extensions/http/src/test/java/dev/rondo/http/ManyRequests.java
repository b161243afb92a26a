package dev.rondo.http;

import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.io.ConnectionResetException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A client that blocks, and so has a thread of its own: what a server does for its requests is all
/// that the scheduler does meanwhile.
public abstract class ManyRequests implements AutoCloseable {

  public final Socket socket;
  public final DataInputStream in;

  public ManyRequests(InetSocketAddress address) throws IOException {
    this.socket = new Socket(address.getAddress(), address.getPort());
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /// Sends some requests at once, and receives the responses.
  public abstract void ask(int count) throws IOException;

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /// The server of all of them.
  public static void answer(HttpExchange exchange) throws IOException {
    if (!exchange.headers().contains("upgrade")) {
      exchange.respondText("hello");
      return;
    }
    try (WebSocket socket = exchange.webSocket()) {
      while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        socket.send(text);
      }
    } catch (ConnectionResetException e) {
      // the client just goes
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /// Of HTTP/1.1, for `/`, whose response ends with `hello`.
  public static class Http1 extends ManyRequests {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    Http1(InetSocketAddress address) throws IOException {
      super(address);
    }

    @Override
    public void ask(int count) throws IOException {
      send(REQUEST.repeat(count).getBytes(StandardCharsets.US_ASCII));
      for (int left = count; left > 0; left--) {
        receive();
      }
    }

    private void receive() throws IOException {
      var response = new StringBuilder();
      do {
        int next = in.read();
        if (next < 0) {
          throw new EOFException(response.toString());
        }
        response.append((char) next);
      } while (!response.toString().endsWith("\r\n\r\nhello"));
    }
  }

  /// Of HTTP/1.1, each when the one before is answered.
  public static final class Http1InTurn extends Http1 {

    Http1InTurn(InetSocketAddress address) throws IOException {
      super(address);
    }

    @Override
    public void ask(int count) throws IOException {
      for (int left = count; left > 0; left--) {
        super.ask(1);
      }
    }
  }

  /// Of HTTP/2, for `/`, each on a stream of its own.
  public static final class Http2 extends ManyRequests {

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    /// `:method: GET`, `:scheme: http`, `:path: /` and `:authority: a`, as RFC 7541 writes them.
    private static final byte[] HEAD = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'a'};

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_OF_STREAM = 1;
    private static final int END_OF_HEADERS = 4;

    private int nextStream = 1;

    Http2(InetSocketAddress address) throws IOException {
      super(address);
      send(PREFACE.getBytes(StandardCharsets.US_ASCII));
      send(frame(SETTINGS, 0, 0, new byte[0]));
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload)
        throws IOException {
      var bytes = new ByteArrayOutputStream();
      var out = new DataOutputStream(bytes);
      out.writeInt(payload.length << 8 | type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
      return bytes.toByteArray();
    }

    @Override
    public void ask(int count) throws IOException {
      var requests = new ByteArrayOutputStream();
      for (int left = count; left > 0; left--) {
        requests.write(frame(HEADERS, END_OF_STREAM | END_OF_HEADERS, nextStream, HEAD));
        nextStream += 2;
      }
      send(requests.toByteArray());
      for (int left = count; left > 0; ) {
        left -= receive();
      }
    }

    /// Receives a frame.
    ///
    /// @return how many responses it has ended
    private int receive() throws IOException {
      int lengthAndType = in.readInt();
      int type = lengthAndType & 0xFF;
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      in.skipNBytes(lengthAndType >>> 8);
      if (type == SETTINGS && (flags & ACKNOWLEDGED) == 0) {
        send(frame(SETTINGS, ACKNOWLEDGED, 0, new byte[0]));
      }
      if (type != DATA && type != HEADERS && stream != 0) {
        throw new IOException("stream=%d, frame of type %d".formatted(stream, type));
      }
      boolean ends = (type == DATA || type == HEADERS) && (flags & END_OF_STREAM) != 0;
      return ends ? 1 : 0;
    }
  }

  /// Texts of a WebSocket at `/`, which are sent back.
  public static final class Texts extends ManyRequests {

    private static final String UPGRADE =
        """
        GET / HTTP/1.1\r
        Host: a\r
        Connection: upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r
        """;

    /// A final frame of text, masked with zeros.
    private static final byte[] HELLO = {
      (byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'
    };

    private static final int ANSWER_BYTES = 7;

    Texts(InetSocketAddress address) throws IOException {
      super(address);
      send(UPGRADE.getBytes(StandardCharsets.US_ASCII));
      var response = new StringBuilder();
      while (!response.toString().endsWith("\r\n\r\n")) {
        response.append((char) in.readUnsignedByte());
      }
    }

    /// One after the other.
    @Override
    public void ask(int count) throws IOException {
      for (int left = count; left > 0; left--) {
        send(HELLO);
        in.skipNBytes(ANSWER_BYTES);
      }
    }
  }
}
