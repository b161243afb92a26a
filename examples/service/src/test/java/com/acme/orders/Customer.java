package com.acme.orders;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/// Sends orders, one every three seconds.
final class Customer {

  private Customer() {}

  static void orders(List<Integer> numbers) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int number : numbers) {
        Thread.sleep(Duration.ofSeconds(3));
        URI order = URI.create("http://orders:8080/orders/" + number);
        client.send(
            HttpRequest.newBuilder(order).POST(BodyPublishers.noBody()).build(),
            BodyHandlers.discarding());
      }
    }
  }
}
