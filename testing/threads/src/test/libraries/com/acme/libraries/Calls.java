package com.acme.libraries;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;

/// Requests to the server of the same process.
final class Calls {

  private Calls() {}

  static void run() throws Exception {
    try (var client = HttpClient.newHttpClient();
        var threads = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 30; i++) {
        int number = i;
        threads.submit(() -> {
          try {
            var request = HttpRequest.newBuilder(URI.create("http://localhost/" + number)).build();
            var response = client.send(request, BodyHandlers.ofString());
            System.out.println(response.statusCode() + " " + response.body());
          } catch (Exception e) {
            System.out.println(number + " failed " + e);
          }
        });
      }
      threads.close();
    }
  }
}
