// BUG https://github.com/resilience4j/resilience4j/issues/1432
// DEPS io.github.resilience4j:resilience4j-circuitbreaker:1.7.0
// MENDED io.github.resilience4j:resilience4j-circuitbreaker:2.0.0
// RACING io.github.resilience4j..
package com.acme.bugs;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// A circuit breaker that becomes half open lets all pass that ask meanwhile.
public final class Resilience4j1432 {

  public static void main(String[] args) throws Exception {
    var breaker =
        CircuitBreaker.of(
            "breaker",
            CircuitBreakerConfig.custom()
                .permittedNumberOfCallsInHalfOpenState(1)
                .waitDurationInOpenState(Duration.ofSeconds(1))
                .build());
    breaker.transitionToOpenState();
    Thread.sleep(1_001);
    var calls = new AtomicInteger();
    Together.run(
        3,
        _ -> {
          if (breaker.tryAcquirePermission()) {
            calls.incrementAndGet();
          }
        });
    if (calls.get() > 2) {
      throw new IllegalStateException("calls: " + calls);
    }
  }
}
