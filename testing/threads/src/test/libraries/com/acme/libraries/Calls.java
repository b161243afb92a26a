package com.acme.libraries;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/// Requests to the server of the same process.
final class Calls {

  private Calls() {}

  static void run() throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      Work.run(
          6,
          30,
          number -> {
            var request = HttpRequest.newBuilder(URI.create("http://localhost/" + number)).build();
            var response = client.send(request, BodyHandlers.ofString());
            System.out.println(response.statusCode() + " " + response.body());
            if (response.statusCode() != 200) {
              throw new IllegalStateException(number + ": " + response);
            }
          });
    }
  }
}
