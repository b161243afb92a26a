// BUG https://github.com/ReactiveX/RxJava/issues/6059
// DEPS io.reactivex.rxjava2:rxjava:2.1.15
// MENDED io.reactivex.rxjava2:rxjava:2.1.16
// RACING io.reactivex..
package com.acme.bugs;

import io.reactivex.Observable;
import io.reactivex.disposables.Disposable;
import io.reactivex.subjects.MaybeSubject;
import java.util.concurrent.atomic.AtomicInteger;

/// A value that comes when nobody wants it any more is passed on as null.
public final class RxJava6059 {

  public static void main(String[] args) throws Exception {
    MaybeSubject<String> value = MaybeSubject.create();
    var nulls = new AtomicInteger();
    Disposable all =
        Observable.just("one")
            .hide()
            .concatMapMaybe(_ -> value)
            .doOnNext(it -> nulls.addAndGet(it == null ? 1 : 0))
            .subscribe();
    Together.run(
        2,
        i -> {
          if (i == 0) {
            value.onSuccess("value");
          } else {
            all.dispose();
          }
        });
    if (nulls.get() > 0) {
      throw new IllegalStateException("null is passed on");
    }
  }
}
