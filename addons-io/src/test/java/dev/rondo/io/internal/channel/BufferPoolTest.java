package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class BufferPoolTest {

  /// The pool must not keep the memory of many simultaneous reads forever.
  @Test
  void give_moreThanIsKept_restIsDropped() {
    var pool = new BufferPool();
    var lent = new ArrayList<ByteBuffer>();
    for (int i = 0; i < 300; i++) {
      lent.add(pool.take());
    }
    lent.forEach(pool::give);
    assertEquals(256, pool.kept());
  }

  @Test
  void give_notOfThePool_isDropped() {
    var pool = new BufferPool();
    pool.give(ByteBuffer.allocate(BufferPool.BUFFER_BYTES));
    pool.give(ByteBuffer.allocateDirect(BufferPool.BUFFER_BYTES - 1));
    assertEquals(0, pool.kept());
  }
}
