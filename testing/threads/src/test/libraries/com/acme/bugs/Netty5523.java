// BUG https://github.com/netty/netty/pull/5523
// DEPS io.netty:netty-common:4.1.2.Final
// MENDED io.netty:netty-common:4.1.4.Final
// RACING io.netty.util.concurrent..
package com.acme.bugs;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.TimeUnit;

/// A thread waits for a promise that has been kept, until its time is over.
public final class Netty5523 {

  public static void main(String[] args) throws Exception {
    Promise<String> promise = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    long begin = System.nanoTime();
    Together.run(
        2,
        i -> {
          if (i == 0) {
            promise.await(1, TimeUnit.HOURS);
          } else {
            promise.setSuccess("kept");
          }
        });
    if (System.nanoTime() - begin >= TimeUnit.HOURS.toNanos(1)) {
      throw new IllegalStateException("waited for an hour");
    }
  }
}
