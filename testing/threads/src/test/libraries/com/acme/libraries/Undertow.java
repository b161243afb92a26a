// DEPS io.undertow:undertow-core:2.4.4.Final
package com.acme.libraries;

import io.undertow.server.HttpHandler;

public final class Undertow {

  public static void main(String[] args) throws Exception {
    HttpHandler handler =
        exchange ->
            exchange.dispatch(() -> {
              try {
                Thread.sleep((long) (Math.random() * 100));
              } catch (InterruptedException _) {
                return;
              }
              exchange.getResponseSender().send("answer to " + exchange.getRequestPath());
            });
    var server =
        io.undertow.Undertow.builder().addHttpListener(80, "0.0.0.0").setHandler(handler).build();
    server.start();
    Calls.run();
    Thread.sleep(120_000);
    server.stop();
    System.out.println("end");
  }
}
