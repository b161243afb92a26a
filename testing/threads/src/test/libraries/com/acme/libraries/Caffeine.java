// DEPS com.github.ben-manes.caffeine:caffeine:3.2.3
package com.acme.libraries;

import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;

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
    Work.run(
        6,
        300,
        _ -> {
          Thread.sleep((long) (Math.random() * 500));
          int key = (int) (Math.random() * 60);
          String value = cache.get(key).get();
          if (!value.equals("value of " + key)) {
            throw new IllegalStateException(key + " has the " + value);
          }
        });
    Thread.sleep(60_000);
    System.out.println(cache.synchronous().stats());
    System.out.println("end");
  }
}
