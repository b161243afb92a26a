package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/// Bytes that are held, piece by piece.
final class HeldBytesTest {

  private static final int PIECE = 16 * 1024;
  private static final int PIECES = 512;

  private final HeldBytes held =
      new HeldBytes(BufferPool.none(), Mockito.mock(IoErrors.class), "test");

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /// TLS fills a large buffer with such pieces.
  @Test
  void add_ofManyPieces_copiesEachAFewTimes() {
    var piece = new byte[PIECE];
    long before = allocated();
    for (int i = 0; i < PIECES; i++) {
      held.add(ByteBuffer.wrap(piece));
    }
    long used = allocated() - before;
    assertEquals(PIECES * PIECE, held.size());
    assertTrue(used < 6L * PIECES * PIECE, () -> used + " bytes");
  }

  /// If every few bytes moved the whole buffer, a byte of a megabyte would cost a megabyte.
  @Test
  void add_toAFullBufferOfWhichLittleWasTaken_takesALargerOne() {
    held.add(ByteBuffer.allocate(PIECE));
    assertEquals(1, held.give(new byte[1], 0, 1));
    held.add(ByteBuffer.allocate(1));
    int doubleOfWhatWasHeldThen = 2 * (PIECE - 1);
    assertEquals(doubleOfWhatWasHeldThen, held.room().capacity());
  }

  @Test
  void room_inAFullBufferOfWhichMuchWasTaken_isInTheSame() {
    held.add(ByteBuffer.allocate(PIECE));
    assertEquals(PIECE - 1, held.give(new byte[PIECE], 0, PIECE - 1));
    assertEquals(PIECE, held.room().capacity());
  }

  @Test
  void add_andTake_inAnyOrder_areAStream() {
    var random = new Random(7);
    var sent = new byte[100_000];
    random.nextBytes(sent);
    var got = ByteBuffer.allocate(sent.length);
    for (int at = 0; got.hasRemaining(); ) {
      int n = Math.min(random.nextInt(1, 3_000), sent.length - at);
      if (n > 0) {
        held.add(ByteBuffer.wrap(Arrays.copyOfRange(sent, at, at + n)));
        at += n;
      }
      ByteBuffer some = ByteBuffer.allocate(random.nextInt(3_000));
      int given = held.give(some.limit(Math.min(some.capacity(), got.remaining())));
      assertEquals(given, some.position());
      got.put(some.flip());
      held.release();
    }
    assertArrayEquals(sent, got.array());
  }

  @Test
  void hasLine_afterALineWasTaken_looksAgain() {
    held.add(ByteBuffer.wrap("one".getBytes(StandardCharsets.UTF_8)));
    assertFalse(held.hasLine(100));
    held.add(ByteBuffer.wrap("\ntwo\n".getBytes(StandardCharsets.UTF_8)));
    assertTrue(held.hasLine(100));
    assertEquals("one", held.takeLine(3, StandardCharsets.UTF_8));
    assertTrue(held.hasLine(100));
    assertEquals("two", held.takeLine(3, StandardCharsets.UTF_8));
    assertFalse(held.hasLine(100));
  }
}
