// BUG https://github.com/Netflix/concurrency-limits/pull/179
// DEPS com.netflix.concurrency-limits:concurrency-limits-core:0.3.6
// MENDED com.netflix.concurrency-limits:concurrency-limits-core:0.4.0
// RACING com.netflix.concurrency.limits..
package com.acme.bugs;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.LifoBlockingLimiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import java.util.concurrent.TimeUnit;

/// A call whose time is over gets the token that has become free, and does not give it back.
public final class ConcurrencyLimits179 {

  private static final int MILLIS = 10;

  public static void main(String[] args) throws Exception {
    Limiter<Object> limiter =
        LifoBlockingLimiter.newBuilder(
                SimpleLimiter.newBuilder().limit(FixedLimit.of(1)).<Object>build())
            .backlogTimeout(MILLIS, TimeUnit.MILLISECONDS)
            .build();
    Limiter.Listener first = limiter.acquire(args).orElseThrow();
    Together.run(
        2,
        i -> {
          if (i == 0) {
            limiter.acquire(args).ifPresent(Limiter.Listener::onSuccess);
          } else {
            Thread.sleep(MILLIS);
            first.onSuccess();
          }
        });
    limiter.acquire(args).orElseThrow();
  }
}
