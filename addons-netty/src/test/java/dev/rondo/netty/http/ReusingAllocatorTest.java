package dev.rondo.netty.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReusingAllocatorTest {

  private static final int BYTES = 300;
  private static final int MANY_BYTES = 2_000;
  private static final int MOST_BUFFERS = 64;

  private final EmbeddedChannel connection = new EmbeddedChannel();
  private final ReusingAllocator allocator = new ReusingAllocator(UnpooledByteBufAllocator.DEFAULT);

  @BeforeEach
  void serve() {
    allocator.serve(connection);
  }

  @AfterEach
  void close() {
    connection.close();
  }

  @Test
  void buffer_whenTheLastOneWasReleased_isTheSameAndEmpty() {
    ByteBuf first = connection.alloc().buffer(BYTES).writeByte(1);
    assertEquals((byte) 1, first.readByte());
    first.release();

    ByteBuf second = connection.alloc().buffer(BYTES);

    assertSame(first, second);
    assertEquals(0, second.readerIndex());
    assertEquals(0, second.writerIndex());
    assertEquals(BYTES, second.capacity());
    second.release();
  }

  @Test
  void buffer_onAnotherThread_isAnotherOne() {
    ByteBuf first = connection.alloc().buffer(BYTES);
    first.release();

    ByteBuf elsewhere =
        CompletableFuture.supplyAsync(() -> connection.alloc().buffer(BYTES)).join();

    assertNotSame(first, elsewhere);
    elsewhere.release();
  }

  @Test
  void buffer_whileTheLastOneIsHeld_isAnotherOne() {
    ByteBuf held = connection.alloc().buffer(BYTES).writeByte(1);

    ByteBuf second = connection.alloc().buffer(BYTES).writeByte(2);

    assertNotSame(held, second);
    assertEquals((byte) 1, held.getByte(0));
    held.release();
    second.release();
  }

  /// As on io_uring, where a response is sent later.
  @Test
  void buffers_heldTogether_areAllUsedAgain() {
    List<ByteBuf> held = allocate(MOST_BUFFERS);
    held.forEach(ByteBuf::release);

    List<ByteBuf> again = allocate(MOST_BUFFERS);

    for (ByteBuf each : again) {
      assertTrue(held.stream().anyMatch(before -> before == each));
    }
    again.forEach(ByteBuf::release);
  }

  @Test
  void buffers_moreThanAreKept_areReleased() {
    List<ByteBuf> held = allocate(3 * MOST_BUFFERS);
    held.forEach(ByteBuf::release);

    assertEquals(MOST_BUFFERS, held.stream().filter(each -> each.refCnt() == 1).count());
    connection.close();
    held.forEach(each -> assertEquals(0, each.refCnt()));
  }

  private List<ByteBuf> allocate(int count) {
    return Stream.generate(() -> connection.alloc().buffer(BYTES)).limit(count).toList();
  }

  @Test
  void buffer_thatHasGrown_isNotKept() {
    ByteBuf grown = connection.alloc().buffer(BYTES).writeZero(MANY_BYTES);
    grown.release();

    ByteBuf second = connection.alloc().buffer(BYTES);

    assertNotSame(grown, second);
    assertEquals(0, grown.refCnt());
    second.release();
  }

  @Test
  void buffer_thatHasGrownAndIsHeld_isNotKept() {
    ByteBuf grown = connection.alloc().buffer(BYTES).writeZero(MANY_BYTES);

    ByteBuf second = connection.alloc().buffer(BYTES);
    assertEquals(1, grown.refCnt());
    grown.release();
    second.release();
  }

  @Test
  void buffer_thatIsLarge_isNotKept() {
    ByteBuf large = connection.alloc().buffer(MANY_BYTES);
    large.release();

    assertEquals(0, large.refCnt());
  }

  @Test
  void close_ofTheLastConnection_releasesWhatIsKept() {
    var another = new EmbeddedChannel();
    allocator.serve(another);
    ByteBuf first = allocator.buffer(BYTES);
    first.release();

    connection.close();
    assertEquals(1, first.refCnt());
    another.close();
    assertEquals(0, first.refCnt());

    ByteBuf late = connection.alloc().buffer(BYTES);
    late.release();
    assertEquals(0, late.refCnt());
  }
}
