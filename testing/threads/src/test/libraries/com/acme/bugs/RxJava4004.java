// BUG https://github.com/ReactiveX/RxJava/issues/4004
// DEPS io.reactivex:rxjava:1.1.5
// MENDED io.reactivex:rxjava:1.1.6
// RACING rx.internal.util..
package com.acme.bugs;

import rx.internal.util.atomic.SpscLinkedArrayQueue;

/// A queue that says that it is not empty has nothing.
public final class RxJava4004 {

  public static void main(String[] args) throws Exception {
    var queue = new SpscLinkedArrayQueue<String>(8);
    Together.run(
        2,
        i -> {
          if (i == 0) {
            queue.offer("element");
          } else if (!queue.isEmpty() && queue.poll() == null) {
            throw new IllegalStateException("nothing in a queue that is not empty");
          }
        });
  }
}
