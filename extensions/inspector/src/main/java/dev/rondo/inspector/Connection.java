package dev.rondo.inspector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.slf4j.LoggerFactory;

/// A connection of the inspector, with one request and its answer. A thread of its own runs it; any
/// thread may close it.
final class Connection {

  /// How long a client may take to send its request, and then to receive the answer.
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

  /// The time during which the rest of a client's data is read after its request. If it were not
  /// read, the system would discard the answer.
  private static final int LINGER_MILLIS = 200;

  private static final int MOST_LEFT_OVER = 64 * 1024;
  private static final int MOST_HEAD = 8 * 1024;

  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          403, "Forbidden",
          404, "Not Found",
          405, "Method Not Allowed",
          431, "Request Header Fields Too Large",
          500, "Internal Server Error");

  /// Headers of each answer: the page has only its own scripts and styles, asks only this server,
  /// and is in no frame.
  private static final String FIXED =
      """
      Connection: close
      Cache-Control: no-store
      X-Content-Type-Options: nosniff
      Referrer-Policy: no-referrer
      Cross-Origin-Resource-Policy: same-origin
      Cross-Origin-Opener-Policy: same-origin
      Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
          .replace("\n", "\r\n");

  /// The parts of the page, by path.
  private static final Map<String, Part> PARTS =
      Map.of(
          "/", new Part("inspector.html", "text/html"),
          "/inspector.css", new Part("inspector.css", "text/css"),
          "/inspector.js", new Part("inspector.js", "text/javascript"));

  private record Part(String file, String type) {}

  private record Answer(int status, String type, String body) {

    static Answer of(Refusal refusal) {
      return new Answer(refusal.status(), "text/plain", refusal.getMessage() + "\n");
    }
  }

  private final Socket socket;
  private final RequestRules rules;
  private final Answers answers;

  /// Whether the connection waits for the client, and not for this side.
  private volatile boolean isClientsTurn = true;

  private volatile long turnBeganNanos = System.nanoTime();

  Connection(Socket socket, RequestRules rules, Answers answers) {
    this.socket = socket;
    this.rules = rules;
    this.answers = answers;
  }

  /// {@return whether the client has exceeded its time} Any thread.
  boolean isLate(long nowNanos) {
    return isClientsTurn && nowNanos - turnBeganNanos > PATIENCE_NANOS;
  }

  /// Closes the connection. A read or write that is under way fails. Any thread.
  void close() {
    try {
      socket.close();
    } catch (IOException _) {
      // it counts as closed
    }
  }

  /// Reads the request and answers it.
  void run() {
    try (socket) {
      send();
    } catch (IOException _) {
      // the client has gone, or was too slow
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(Connection.class).warn("a request of the inspector failed", e);
    }
  }

  private void send() throws IOException {
    InputStream in = socket.getInputStream();
    boolean isHead = false;
    Answer answer;
    try {
      Request request = Request.parse(head(in));
      isClientsTurn = false;
      isHead = request.method().equals("HEAD");
      answer = answer(request);
    } catch (Refusal e) {
      answer = Answer.of(e);
    }
    turnBeganNanos = System.nanoTime();
    isClientsTurn = true;
    byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
    OutputStream out = socket.getOutputStream();
    out.write(headOf(answer, body.length).getBytes(StandardCharsets.ISO_8859_1));
    if (!isHead) {
      out.write(body);
    }
    socket.shutdownOutput();
    socket.setSoTimeout(LINGER_MILLIS);
    var _ = in.readNBytes(MOST_LEFT_OVER);
  }

  /// {@return the head of the request, without the empty line at its end}
  private static String head(InputStream in) throws IOException, Refusal {
    var head = new byte[MOST_HEAD];
    int size = 0;
    while (size < head.length) {
      int count = in.read(head, size, head.length - size);
      if (count < 0) {
        throw new IOException("the client has gone");
      }
      int seen = Math.max(0, size - 3); // the end may be in two parts
      size += count;
      for (int i = seen; i + 4 <= size; i++) {
        if (Arrays.equals(head, i, i + 4, Request.END, 0, 4)) {
          return new String(head, 0, i, StandardCharsets.ISO_8859_1);
        }
      }
    }
    throw new Refusal(431, "a request has at most %d bytes".formatted(MOST_HEAD));
  }

  // Answers.

  private Answer answer(Request request) {
    try {
      rules.check(request);
      Part part = PARTS.get(request.path());
      if (part != null) {
        return new Answer(200, part.type, read(part.file));
      }
      rules.checkSite(request.values("sec-fetch-site"));
      String text = answers.answer(request.path(), Query.of(request.query()));
      return new Answer(200, "application/json", text);
    } catch (Refusal e) {
      return Answer.of(e);
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(Connection.class).warn("a request of the inspector failed", e);
      return new Answer(500, "text/plain", "the inspector failed, see the log\n");
    }
  }

  private static String read(String file) {
    try (InputStream in = Connection.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String headOf(Answer answer, int length) {
    var head = new StringBuilder();
    head.append("HTTP/1.1 %d %s\r\n".formatted(answer.status, REASONS.get(answer.status)));
    head.append("Content-Type: ").append(answer.type).append("; charset=utf-8\r\n");
    head.append("Content-Length: ").append(length).append("\r\n");
    if (answer.status == 405) {
      head.append("Allow: GET, HEAD\r\n");
    }
    return head.append(FIXED).append("\r\n").toString();
  }
}
