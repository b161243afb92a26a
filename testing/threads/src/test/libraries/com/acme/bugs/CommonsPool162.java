// BUG https://issues.apache.org/jira/browse/POOL-162
// DEPS commons-pool:commons-pool:1.5.4
// MENDED commons-pool:commons-pool:1.5.5
// RACING org.apache.commons.pool..
package com.acme.bugs;

import org.apache.commons.pool.BasePoolableObjectFactory;
import org.apache.commons.pool.impl.GenericObjectPool;

/// A thread that is interrupted while it waits for an object takes the next one with it.
public final class CommonsPool162 {

  public static void main(String[] args) throws Exception {
    var pool =
        new GenericObjectPool(
            new BasePoolableObjectFactory() {
              @Override
              public Object makeObject() {
                return new Object();
              }
            });
    pool.setMaxActive(1);
    Object first = pool.borrowObject();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                pool.returnObject(pool.borrowObject());
              } catch (InterruptedException e) {
                // As asked.
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    Thread interrupting = Thread.ofPlatform().start(waiting::interrupt);
    pool.returnObject(first);
    waiting.join();
    interrupting.join();
    pool.returnObject(pool.borrowObject());
  }
}
