package dev.rondo.benchmarks.calls;

import dev.rondo.http.server.HttpServer;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Requests of one kind to a server, from a client with one connection on its own thread. The
/// client uses only the JDK, so its calls do not count. Each response ends with [#BODY].
enum HttpRequests {
  /// HTTP/1.1, without a body.
  GET {
    @Override
    byte[] request(int number) {
      return ascii("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
  },

  /// HTTP/1.1, with a small body that comes with the head.
  POST {
    @Override
    byte[] request(int number) {
      return ascii(
          "POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(BODY.length(), BODY));
    }
  },

  /// HTTP/2 with prior knowledge, without a body: RFC 9113.
  HTTP_2_GET {
    @Override
    byte[] request(int number) {
      var frames = new ByteArrayOutputStream();
      if (number == 0) {
        frames.writeBytes(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
        frames.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
      } else if (number == 1) {
        frames.writeBytes(
            frame(SETTINGS, ACK, 0, new byte[0])); // the settings of the server are here
      }
      frames.writeBytes(frame(HEADERS, END_STREAM | END_HEADERS, 2 * number + 1, HEAD));
      return frames.toByteArray();
    }
  };

  private static final String BODY = "Hello, world";

  // HTTP/2 frame types and flags.
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  /// GET and http by their numbers in the static table, the path and the authority as text: RFC
  /// 7541.
  private static final byte[] HEAD =
      "\u0082\u0086\4\6/hello\1\tlocalhost".getBytes(StandardCharsets.ISO_8859_1);

  /// {@return the bytes of a request}
  ///
  /// @param number of earlier requests on the connection
  abstract byte[] request(int number);

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt(payload.length << Byte.SIZE | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /// Serves requests until the recorder has enough.
  void serve(Scheduler scheduler, Recorder recorder) throws Exception {
    var _ = WaitForTime.on(scheduler); // for the limits of the server
    var clients = new ArrayList<Thread>();
    Task<Void> serves = scheduler.spawn("serves", () -> serve(scheduler, recorder, clients));
    scheduler.start();
    serves.join();
    for (Thread client : clients) {
      client.join();
    }
  }

  private void serve(Scheduler scheduler, Recorder recorder, List<Thread> clients)
      throws IOException {
    Task<?> self = Objects.requireNonNull(scheduler.currentTask());
    try (HttpServer server =
        HttpServer.builder(scheduler)
            .get(
                "/hello",
                exchange -> {
                  noteRequest(scheduler, recorder, self);
                  exchange.respondText(BODY);
                })
            .post(
                "/hello",
                exchange -> {
                  noteRequest(scheduler, recorder, self);
                  exchange.respondText(exchange.bodyText());
                })
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      clients.add(Thread.ofPlatform().start(() -> ask(port)));
      scheduler.suspend();
    }
  }

  /// A handler is called.
  ///
  /// @param serving ends the server when it is woken
  private static void noteRequest(Scheduler scheduler, Recorder recorder, Task<?> serving) {
    if (recorder.passOn()) {
      scheduler.scheduleTask(serving);
    }
  }

  /// Sends one request after the other until the server closes.
  private void ask(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      byte[] response = new byte[1024];
      int number = 0;
      do {
        socket.getOutputStream().write(request(number++));
      } while (endsWithBody(socket, response));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean endsWithBody(Socket socket, byte[] response) throws IOException {
    int size = 0;
    String text;
    do {
      int read = socket.getInputStream().read(response, size, response.length - size);
      if (read < 0) {
        return false;
      }
      size += read;
      text = new String(response, 0, size, StandardCharsets.US_ASCII);
    } while (!text.endsWith(BODY));
    return true;
  }
}
