// BUG https://github.com/redis/lettuce/issues/1611
// DEPS io.lettuce:lettuce-core:6.0.2.RELEASE
// MENDED io.lettuce:lettuce-core:6.0.3.RELEASE
// RACING io.lettuce.core.support..
package com.acme.bugs;

import io.lettuce.core.support.AsyncObjectFactory;
import io.lettuce.core.support.BoundedAsyncPool;
import io.lettuce.core.support.BoundedPoolConfig;
import java.util.concurrent.CompletableFuture;

/// Two callers replace what they have taken from a pool that has room for one more.
public final class Lettuce1611 {

  private static final AsyncObjectFactory<Object> FACTORY =
      new AsyncObjectFactory<>() {
        @Override
        public CompletableFuture<Object> create() {
          return CompletableFuture.completedFuture(new Object());
        }

        @Override
        public CompletableFuture<Void> destroy(Object object) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Boolean> validate(Object object) {
          return CompletableFuture.completedFuture(true);
        }
      };

  public static void main(String[] args) throws Exception {
    var pool =
        new BoundedAsyncPool<>(FACTORY, BoundedPoolConfig.builder().maxTotal(3).minIdle(2).build());
    Together.run(2, _ -> pool.acquire().join());
  }
}
