package dev.rondo.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A request of the clients, and the size of its answer.
///
/// @param request direct, and as large as the request
/// @param answerBytes the same for each request
public record Exchange(ByteBuffer request, int answerBytes) {

  static final Exchange ECHO =
      new Exchange(ByteBuffer.allocateDirect(EchoLoad.MESSAGE_BYTES), EchoLoad.MESSAGE_BYTES);

  private static final int MOST_BYTES = 4_096;

  /// Requests `/` once, to learn the length of the answers of this server.
  ///
  /// @param lastBytes the end of the answer
  public static Exchange http(int port, byte[] lastBytes) throws IOException {
    byte[] request =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request);
      byte[] answer = new byte[MOST_BYTES];
      int length = 0;
      while (!endsWith(answer, length, lastBytes)) {
        int n = socket.getInputStream().read(answer, length, answer.length - length);
        if (n <= 0) {
          throw new EOFException("the answer does not end as it should");
        }
        length += n;
      }
      ByteBuffer out = ByteBuffer.allocateDirect(request.length).put(request).flip();
      return new Exchange(out, length);
    }
  }

  private static boolean endsWith(byte[] bytes, int length, byte[] last) {
    int from = length - last.length;
    return from >= 0 && ByteBuffer.wrap(bytes, from, last.length).equals(ByteBuffer.wrap(last));
  }
}
