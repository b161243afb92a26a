package com.acme.threads;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/// What programs do with sockets, besides reading and writing.
public final class Sockets {

  private Sockets() {}

  /// Asks how many bytes can be read while another thread waits for the first one.
  ///
  /// @return how many, and how long the answer took, in milliseconds
  public static String available() throws IOException, InterruptedException {
    try (var server = new ServerSocket(7);
        var client = new Socket(server.getInetAddress(), 7);
        Socket peer = server.accept()) {
      var reader = new Thread(() -> read(client));
      reader.start();
      Thread.sleep(10);
      long begin = System.currentTimeMillis();
      int count = client.getInputStream().available();
      long took = System.currentTimeMillis() - begin;
      new Thread(() -> later(peer)).start();
      reader.join();
      return count + " " + took;
    }
  }

  private static void read(Socket from) {
    try {
      int _ = from.getInputStream().read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void later(Socket to) {
    try {
      Thread.sleep(1_000);
      to.getOutputStream().write(1);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
