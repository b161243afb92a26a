package dev.rondo.inspector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// Sends requests to an inspector as they are, and reads answers up to the end of the connection.
final class PageClient {

  private PageClient() {}

  static Socket connect(URI page) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), page.getPort());
  }

  /// {@return head and body of the answer}
  static String send(URI page, String request) throws IOException {
    try (Socket socket = connect(page)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// {@return head and body of the answer to a browser's request}
  static String get(URI page, String target) throws IOException {
    return send(page, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(target, page.getAuthority()));
  }

  /// {@return the body of a good answer}
  static String body(URI page, String target) throws IOException {
    String answer = get(page, target);
    if (!answer.startsWith("HTTP/1.1 200 OK\r\n")) {
      throw new AssertionError(answer);
    }
    return answer.substring(answer.indexOf("\r\n\r\n") + 4);
  }
}
