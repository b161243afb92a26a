package com.acme.orders;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntConsumer;

/// A fake of the payment service. It charges each request, but for one with the key of an earlier
/// one.
final class Payments {

  private Payments() {}

  static void serve(IntConsumer charged) throws IOException {
    Set<String> keys = new HashSet<>();
    HttpServer server = HttpServer.create(new InetSocketAddress(80), 0);
    server.createContext(
        "/charges/",
        exchange -> {
          String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
          if (key == null || keys.add(key)) {
            String path = exchange.getRequestURI().getPath();
            charged.accept(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
          }
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }
}
