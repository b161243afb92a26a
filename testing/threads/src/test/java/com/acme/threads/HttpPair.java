package com.acme.threads;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.rondo.simulation.WorldHost;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/// A server and a client of HTTP, as the JDK and Resilience4j have them.
public final class HttpPair {

  private HttpPair() {}

  /// A server that counts.
  public static final class Server implements WorldHost.Main {

    /// Its constructor.
    public Server() {}

    @Override
    public void run(WorldHost host) throws IOException {
      HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
      server.setExecutor(Executors.newFixedThreadPool(4));
      server.createContext(
          "/count",
          exchange -> {
            byte[] answer = exchange.getRequestURI().getQuery().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
          });
      server.start();
    }
  }

  /// Tells by which thread of its client a response came.
  public static final class NamingClient implements WorldHost.Main {

    private final Consumer<String> tell;

    /// @param tell receives the name
    public NamingClient(Consumer<String> tell) {
      this.tell = tell;
    }

    @Override
    public void run(WorldHost host) throws Exception {
      try (HttpClient client = HttpClient.newHttpClient()) {
        URI uri = URI.create("http://server:8080/count?1");
        var _ =
            client.send(
                HttpRequest.newBuilder(uri).build(),
                response -> {
                  tell.accept(Thread.currentThread().getName());
                  return HttpResponse.BodySubscribers.discarding();
                });
      }
    }
  }

  /// A server over TLS.
  public static final class SecureServer implements WorldHost.Main {

    private final Callable<SSLContext> contexts;

    /// @param contexts makes one with a certificate of `server`; one that is made outside has drawn
    ///   its number there
    public SecureServer(Callable<SSLContext> contexts) {
      this.contexts = contexts;
    }

    @Override
    public void run(WorldHost host) throws Exception {
      SSLContext context = contexts.call();
      HttpsServer server = HttpsServer.create(new InetSocketAddress(8443), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(context));
      server.setExecutor(Executors.newFixedThreadPool(4));
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
    }
  }

  /// Asks over TLS, with both clients of the JDK.
  public static final class SecureClient implements WorldHost.Main {

    private final SSLContext context;
    private final Consumer<String> told;

    /// @param context that trusts the server
    /// @param told receives the status of each answer
    public SecureClient(SSLContext context, Consumer<String> told) {
      this.context = context;
      this.told = told;
    }

    @Override
    public void run(WorldHost host) throws Exception {
      Thread.sleep(100);
      URI uri = URI.create("https://server:8443/");
      HttpClient client = HttpClient.newBuilder().sslContext(context).build();
      HttpResponse<Void> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
      told.accept("" + answer.statusCode());
      var connection = (HttpsURLConnection) uri.toURL().openConnection();
      connection.setSSLSocketFactory(context.getSocketFactory());
      told.accept("" + connection.getResponseCode());
    }
  }

  /// A client that tries again, and lets the server rest.
  public static final class Client implements WorldHost.Main {

    private final boolean urls;
    private final int requests;
    private final Consumer<String> told;

    /// @param urls whether it uses `HttpURLConnection`
    /// @param requests how many, one a second
    /// @param told receives `answered 7`, `failed 7 ..`, changes of the breaker, and `end`
    public Client(boolean urls, int requests, Consumer<String> told) {
      this.urls = urls;
      this.requests = requests;
      this.told = told;
    }

    @Override
    public void run(WorldHost host) throws Exception {
      Thread.sleep(100);
      Retry retry =
          Retry.of(
              "http",
              RetryConfig.custom().maxAttempts(3).waitDuration(Duration.ofMillis(500)).build());
      CircuitBreaker breaker =
          CircuitBreaker.of(
              "http",
              CircuitBreakerConfig.custom()
                  .slidingWindowSize(5)
                  .minimumNumberOfCalls(5)
                  .waitDurationInOpenState(Duration.ofSeconds(20))
                  .build());
      breaker
          .getEventPublisher()
          .onStateTransition(
              event -> told.accept("breaker " + event.getStateTransition().getToState()));
      HttpClient client =
          urls ? null : HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
      for (int i = 0; i < requests; i++) {
        int number = i;
        Supplier<String> call = () -> client == null ? byUrl(number) : byClient(client, number);
        try {
          String answer =
              Retry.decorateSupplier(retry, CircuitBreaker.decorateSupplier(breaker, call)).get();
          told.accept("answered " + answer);
        } catch (CallNotPermittedException e) {
          told.accept("refused " + number);
        } catch (UncheckedIOException e) {
          told.accept("failed " + number + " " + e.getCause().getClass().getSimpleName());
        }
        TimeUnit.SECONDS.sleep(1);
      }
      told.accept("end");
    }

    private static URI uri(int number) {
      return URI.create("http://server:8080/count?" + number);
    }

    private static String byUrl(int number) {
      try {
        var connection = (HttpURLConnection) uri(number).toURL().openConnection();
        connection.setConnectTimeout(2_000);
        connection.setReadTimeout(2_000);
        try (var in = connection.getInputStream()) {
          return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String byClient(HttpClient client, int number) {
      try {
        return client
            .send(
                HttpRequest.newBuilder(uri(number)).timeout(Duration.ofSeconds(2)).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
