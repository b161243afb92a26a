// DEPS com.google.guava:guava:33.8.0-jre
package com.acme.libraries;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.util.concurrent.AbstractScheduledService;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.ListeningExecutorService;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ServiceManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

public final class Guava {

  /// Shows what the cache holds.
  private static final class Shown extends AbstractScheduledService {

    private final LoadingCache<Integer, String> cache;

    Shown(LoadingCache<Integer, String> cache) {
      this.cache = cache;
    }

    @Override
    protected void runOneIteration() {
      System.out.println(cache.size() + " " + cache.stats());
    }

    @Override
    protected Scheduler scheduler() {
      return Scheduler.newFixedRateSchedule(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  private static String load(int key) throws InterruptedException {
    Thread.sleep((long) (Math.random() * 100));
    return "value of " + key;
  }

  public static void main(String[] args) throws Exception {
    var cache =
        CacheBuilder.newBuilder()
            .maximumSize(20)
            .expireAfterWrite(Duration.ofSeconds(3))
            .refreshAfterWrite(Duration.ofSeconds(1))
            .removalListener(gone -> System.out.println(gone.getKey() + " " + gone.getCause()))
            .recordStats()
            .build(
                CacheLoader.from((Integer key) -> {
                  try {
                    return load(key);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
    var services = new ServiceManager(Set.of(new Shown(cache)));
    services.startAsync().awaitHealthy();
    RateLimiter limiter = RateLimiter.create(30);
    try (ListeningExecutorService pool =
        MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(6))) {
      List<ListenableFuture<String>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        all.add(
            pool.submit(() -> {
              limiter.acquire();
              return cache.get((int) (Math.random() * 60));
            }));
      }
      for (String each : Futures.allAsList(all).get()) {
        if (!each.startsWith("value of ")) {
          throw new IllegalStateException(each);
        }
      }
    }
    services.stopAsync().awaitStopped();
    System.out.println("end");
  }
}
