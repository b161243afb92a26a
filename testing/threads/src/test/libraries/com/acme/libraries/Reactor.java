// DEPS io.projectreactor:reactor-core:3.8.0
package com.acme.libraries;

import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

public final class Reactor {

  public static void main(String[] args) {
    Flux.interval(Duration.ofSeconds(1))
        .take(60)
        .flatMap(
            it ->
                Mono.fromCallable(
                        () -> {
                          Thread.sleep((long) (Math.random() * 3_000));
                          if (Math.random() < 0.2) {
                            throw new IllegalStateException("unlucky");
                          }
                          return it + " on " + Thread.currentThread().getName();
                        })
                    .subscribeOn(Schedulers.boundedElastic())
                    .timeout(Duration.ofSeconds(2))
                    .retryWhen(Retry.backoff(5, Duration.ofMillis(100)))
                    .onErrorReturn(it + " failed"),
            8)
        .publishOn(Schedulers.parallel())
        .doOnNext(System.out::println)
        .blockLast();
    Schedulers.shutdownNow();
    System.out.println("end");
  }
}
