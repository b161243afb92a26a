// DEPS com.squareup.okhttp3:okhttp:4.12.0
// SERVER HttpService
package com.acme.libraries;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

public final class OkHttp {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    var client = new OkHttpClient.Builder().callTimeout(Duration.ofSeconds(5)).build();
    int calls = 30;
    var done = new CountDownLatch(calls);
    for (int i = 0; i < calls; i++) {
      int number = i;
      client
          .newCall(new Request.Builder().url("http://server/" + i).build())
          .enqueue(
              new Callback() {
                @Override
                public void onFailure(Call call, IOException e) {
                  System.out.println(number + " failed " + e);
                  if (e instanceof InterruptedIOException) { // of the timeout
                    done.countDown();
                  }
                }

                @Override
                public void onResponse(Call call, Response response) throws IOException {
                  System.out.println(
                      number + " " + response.code() + " " + response.body().string());
                  done.countDown();
                }
              });
    }
    done.await();
    Thread.sleep(600_000); // idle connections are closed
    System.out.println(client.connectionPool().connectionCount() + " connections");
    System.out.println("end");
  }
}
