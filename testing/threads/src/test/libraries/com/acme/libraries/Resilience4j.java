// DEPS io.github.resilience4j:resilience4j-all:2.4.0
package com.acme.libraries;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.decorators.Decorators;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.retry.Retry;
import java.util.concurrent.Executors;

public final class Resilience4j {

  public static void main(String[] args) throws Exception {
    var breaker = CircuitBreaker.ofDefaults("breaker");
    breaker
        .getEventPublisher()
        .onStateTransition(it -> System.out.println(it.getStateTransition()));
    var call =
        Decorators.ofCallable(
                () -> {
                  Thread.sleep((long) (Math.random() * 500));
                  if (Math.random() < 0.6) {
                    throw new java.io.IOException("unlucky");
                  }
                  return "done";
                })
            .withRateLimiter(RateLimiter.ofDefaults("limiter"))
            .withBulkhead(Bulkhead.ofDefaults("bulkhead"))
            .withCircuitBreaker(breaker)
            .withRetry(Retry.ofDefaults("retry"))
            .decorate();
    try (var threads = Executors.newFixedThreadPool(30)) {
      for (int i = 0; i < 400; i++) {
        int number = i;
        threads.submit(() -> {
          try {
            Thread.sleep((long) (Math.random() * 10_000));
            System.out.println(number + " " + call.call());
          } catch (Exception e) {
            System.out.println(number + " " + e);
          }
        });
      }
    }
    System.out.println("end");
  }
}
