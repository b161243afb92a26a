package com.acme.libraries;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/// A server of HTTP that the clients call: some answers come late, some are errors.
public final class HttpService {

  private HttpService() {}

  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(80), 0);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext(
        "/",
        exchange -> {
          int number = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
          try {
            Thread.sleep((long) (Math.random() * (number % 7 == 6 ? 20_000 : 200)));
          } catch (InterruptedException _) {
            return;
          }
          byte[] body = ("answer " + number).getBytes();
          exchange.sendResponseHeaders(number % 5 == 4 ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }
}
