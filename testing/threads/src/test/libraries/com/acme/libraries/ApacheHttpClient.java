// DEPS org.apache.httpcomponents.client5:httpclient5:5.5.1
// SERVER HttpService
package com.acme.libraries;

import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;

public final class ApacheHttpClient {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    var config = RequestConfig.custom().setResponseTimeout(Timeout.ofSeconds(5)).build();
    try (var client = HttpClients.custom().setDefaultRequestConfig(config).build()) {
      Work.run(
          5,
          20,
          number -> {
            try {
              String answer =
                  client.execute(
                      new HttpGet("http://server/" + number),
                      it -> it.getCode() + " " + EntityUtils.toString(it.getEntity()));
              System.out.println(answer);
            } catch (SocketTimeoutException e) {
              System.out.println(number + " failed " + e);
            }
          });
    }
    try (var client = HttpAsyncClients.custom().setDefaultRequestConfig(config).build()) {
      client.start();
      var calls = new ArrayList<Future<SimpleHttpResponse>>();
      for (int i = 0; i < 20; i++) {
        calls.add(client.execute(SimpleHttpRequest.create("GET", "http://server/" + i), null));
      }
      for (Future<SimpleHttpResponse> each : calls) {
        try {
          System.out.println(each.get().getCode() + " " + each.get().getBodyText());
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof SocketTimeoutException)) {
            throw e;
          }
          System.out.println("failed " + e);
        }
      }
    }
    System.out.println("end");
  }
}
