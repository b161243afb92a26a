// DEPS com.github.ben-manes.caffeine:caffeine:3.2.3
package com.acme.libraries;

import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executors;

public final class Caffeine {

  public static void main(String[] args) throws Exception {
    var cache =
        com.github.benmanes.caffeine.cache.Caffeine.newBuilder()
            .maximumSize(20)
            .expireAfterWrite(Duration.ofSeconds(3))
            .refreshAfterWrite(Duration.ofSeconds(1))
            .scheduler(Scheduler.systemScheduler())
            .removalListener((key, value, cause) -> System.out.println(key + " " + cause))
            .recordStats()
            .buildAsync(key -> {
              Thread.sleep((long) (Math.random() * 100));
              return "value of " + key;
            });
    try (var threads = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 300; i++) {
        threads.submit(() -> {
          Thread.sleep((long) (Math.random() * 500));
          return cache.get((int) (Math.random() * 60)).get();
        });
      }
    }
    Thread.sleep(60_000);
    System.out.println(cache.synchronous().stats());
    System.out.println("end");
  }
}
