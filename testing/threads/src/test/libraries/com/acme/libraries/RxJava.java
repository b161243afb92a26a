// DEPS io.reactivex.rxjava3:rxjava:3.1.12
package com.acme.libraries;

import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.concurrent.TimeUnit;

public final class RxJava {

  public static void main(String[] args) {
    Flowable.interval(1, TimeUnit.SECONDS)
        .take(60)
        .flatMap(
            it ->
                Flowable.just(it)
                    .delay((long) (Math.random() * 9_000), TimeUnit.MILLISECONDS)
                    .observeOn(Schedulers.computation()),
            8)
        .parallel()
        .runOn(Schedulers.io())
        .map(it -> it + " on " + Thread.currentThread().getName())
        .sequential()
        .retry(2)
        .blockingForEach(System.out::println);
    System.out.println("end");
  }
}
