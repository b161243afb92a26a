// BUG https://github.com/ReactiveX/RxJava/issues/2459
// DEPS io.reactivex:rxjava:1.0.4
// MENDED io.reactivex:rxjava:1.0.5
// RACING rx..
package com.acme.bugs;

import java.util.concurrent.atomic.AtomicInteger;
import rx.Subscriber;
import rx.subjects.PublishSubject;

/// A subscriber asks for what comes at the same moment, and does not get it.
public final class RxJava2459 {

  public static void main(String[] args) throws Exception {
    PublishSubject<String> subject = PublishSubject.create();
    var received = new AtomicInteger();
    var subscriber =
        new Subscriber<String>() {
          @Override
          public void onStart() {
            request(0);
          }

          @Override
          public void onNext(String element) {
            received.incrementAndGet();
          }

          @Override
          public void onError(Throwable failure) {
            throw new IllegalStateException(failure);
          }

          @Override
          public void onCompleted() {}

          void more() {
            request(1);
          }
        };
    subject.onBackpressureBuffer().subscribe(subscriber);
    Together.run(
        2,
        i -> {
          if (i == 0) {
            subject.onNext("element");
          } else {
            subscriber.more();
          }
        });
    if (received.get() != 1) {
      throw new IllegalStateException("received: " + received);
    }
  }
}
