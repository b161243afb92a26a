package dev.rondo.netty.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReusingAllocatorTest {

  private static final int BYTES = 300;
  private static final int MANY_BYTES = 3_000;
  private static final int RECORD_BYTES = 16_709;
  private static final int TOO_MANY_BYTES = 20_000;
  private static final int MOST_SMALL = 256;

  private final UnpooledByteBufAllocator others = new UnpooledByteBufAllocator(true);
  private final ReusingAllocator allocator = ReusingAllocator.ofReads(others);
  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

  @BeforeEach
  void trackFew() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
  }

  @AfterEach
  void trackAsBefore() {
    ResourceLeakDetector.setLevel(level);
  }

  @Test
  void buffer_whenTheLastOneWasReleased_isTheSameAndEmpty() {
    ByteBuf first = allocator.ioBuffer(BYTES).writeByte(1);
    assertEquals((byte) 1, first.readByte());
    first.markReaderIndex().release();

    ByteBuf second = allocator.directBuffer(BYTES + 1, MANY_BYTES);

    assertSame(first, second);
    assertEquals(0, second.readerIndex());
    assertEquals(0, second.writerIndex());
    assertEquals(0, second.writeByte(0).resetReaderIndex().readerIndex());
    assertTrue(second.capacity() > BYTES);
    assertEquals(MANY_BYTES, second.maxCapacity());
    second.release();
  }

  @Test
  void buffer_thatMayHoldLessThanThoseThatAreKept_isOfTheOtherAllocator() {
    ByteBuf small = allocator.directBuffer(BYTES, BYTES + 1);
    assertSame(others, small.alloc());
    small.release();
  }

  @Test
  void buffer_thatWasReleased_isInaccessible() {
    ByteBuf released = allocator.ioBuffer(BYTES).writeByte(1);
    released.release();

    assertThrows(IllegalReferenceCountException.class, () -> released.getByte(0));
    assertThrows(IllegalReferenceCountException.class, released::memoryAddress);
    assertThrows(IllegalReferenceCountException.class, released::release);
  }

  @Test
  void buffer_ofWhatCodecsEncode_isUsedAgainForThemOnly() {
    ReusingAllocator codecs = ReusingAllocator.ofCodecs(allocator);
    ByteBuf first = codecs.buffer(BYTES);
    first.release();

    ByteBuf encoded = codecs.buffer(BYTES);
    assertSame(first, encoded);
    encoded.release();
    ByteBuf usual = allocator.buffer(BYTES);
    assertNotSame(first, usual);
    usual.release();
    ByteBuf received = allocator.ioBuffer(BYTES);
    assertNotSame(first, received);
    received.release();
  }

  /// As on io_uring, where each open connection holds one.
  @Test
  void buffer_ofWhatCodecsEncode_isThereWhileAllOthersAreHeld() {
    ReusingAllocator codecs = ReusingAllocator.ofCodecs(allocator);
    List<ByteBuf> held = allocate(MOST_SMALL);

    ByteBuf encoded = codecs.buffer(BYTES);

    assertSame(codecs, encoded.alloc());
    encoded.release();
    held.forEach(ByteBuf::release);
  }

  @Test
  void buffer_ofARecordThatCodecsEncode_isSharedWithReads() {
    ByteBuf received = allocator.ioBuffer(RECORD_BYTES);
    received.release();

    ByteBuf encoded = ReusingAllocator.ofCodecs(allocator).buffer(RECORD_BYTES);

    assertSame(received, encoded);
    encoded.release();
  }

  @Test
  void buffer_onAnotherThread_isAnotherOne() {
    ByteBuf first = allocator.ioBuffer(BYTES);
    first.release();

    ByteBuf elsewhere = CompletableFuture.supplyAsync(() -> allocator.ioBuffer(BYTES)).join();

    assertNotSame(first, elsewhere);
    elsewhere.release();
  }

  @Test
  void buffer_releasedByAnotherThread_isUsedAgain() {
    ByteBuf first = allocator.ioBuffer(BYTES);
    CompletableFuture.runAsync(first::release).join();

    ByteBuf second = allocator.ioBuffer(BYTES);

    assertSame(first, second);
    second.release();
  }

  @Test
  void buffer_whileTheLastOneIsHeld_isAnotherOne() {
    ByteBuf held = allocator.ioBuffer(BYTES).writeByte(1);

    ByteBuf second = allocator.ioBuffer(BYTES).writeByte(2);

    assertNotSame(held, second);
    assertEquals((byte) 1, held.getByte(0));
    held.release();
    second.release();
  }

  @Test
  void buffers_heldTogether_areAllUsedAgain() {
    List<ByteBuf> held = allocate(MOST_SMALL);
    held.forEach(ByteBuf::release);

    List<ByteBuf> again = allocate(MOST_SMALL);

    for (ByteBuf each : again) {
      assertTrue(held.stream().anyMatch(before -> before == each));
    }
    again.forEach(ByteBuf::release);
  }

  /// So the leak detector sees what a program goes on not to release.
  @Test
  void buffers_whileAllAreHeld_areOfTheOtherAllocator() {
    List<ByteBuf> held = allocate(MOST_SMALL);
    long before = others.metric().usedDirectMemory();

    ByteBuf another = allocator.ioBuffer(BYTES);

    assertSame(others, another.alloc());
    assertEquals(before + BYTES, others.metric().usedDirectMemory());
    another.release();
    held.forEach(ByteBuf::release);
    ByteBuf kept = allocator.ioBuffer(BYTES);
    assertSame(allocator, kept.alloc());
    kept.release();
  }

  private List<ByteBuf> allocate(int count) {
    return Stream.generate(() -> allocator.ioBuffer(BYTES)).limit(count).toList();
  }

  @Test
  void buffer_ofARecord_isUsedAgain() {
    ByteBuf first = allocator.ioBuffer(RECORD_BYTES);
    first.release();

    ByteBuf second = allocator.ioBuffer(RECORD_BYTES);

    assertSame(first, second);
    second.release();
  }

  @Test
  void buffer_thatIsLarge_isOfTheOtherAllocator() {
    ByteBuf large = allocator.ioBuffer(TOO_MANY_BYTES);
    assertSame(others, large.alloc());
    large.release();
  }

  @Test
  void buffer_whoseCapacityChanges_keepsItsBytes() {
    ByteBuf buffer = allocator.ioBuffer(BYTES).writeZero(1).writeByte(2).writeZero(BYTES - 2);
    assertEquals(2, buffer.capacity(2).writerIndex());
    assertEquals(2, buffer.capacity(BYTES).getByte(1));
    assertEquals(2, buffer.writeZero(MANY_BYTES).getByte(1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getByte(buffer.capacity()));
    buffer.release();
  }

  @Test
  void buffer_thatHasGrown_isNotKept() {
    ByteBuf grown = allocator.ioBuffer(BYTES).writeZero(MANY_BYTES);
    grown.release();

    ByteBuf second = allocator.ioBuffer(BYTES);

    assertNotSame(grown, second);
    assertEquals(0, grown.refCnt());
    second.release();
  }

  @Test
  void buffers_thatHaveGrown_makeRoomForOthers() {
    List<ByteBuf> grown = allocate(MOST_SMALL);
    grown.forEach(each -> each.writeZero(MANY_BYTES));
    CompletableFuture.runAsync(() -> grown.getFirst().release()).join();
    grown.stream().skip(1).forEach(ByteBuf::release);

    List<ByteBuf> again = allocate(MOST_SMALL);

    again.forEach(each -> assertSame(allocator, each.alloc()));
    again.forEach(ByteBuf::release);
  }

  @Test
  void buffer_atTheLevelParanoid_isTrackedEachTime() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBuf first = allocator.ioBuffer(BYTES);
    first.release();

    ByteBuf second = allocator.ioBuffer(BYTES);

    assertNotSame(first, second);
    assertSame(first.unwrap(), second.unwrap());
    second.release();
  }

  /// Writes and reads in buffers of both sizes, and those of them that have grown.
  static final class Child {
    public static void main(String[] args) {
      var allocator = ReusingAllocator.ofReads(UnpooledByteBufAllocator.DEFAULT);
      for (int bytes : new int[] {BYTES, RECORD_BYTES, BYTES}) {
        ByteBuf buffer = allocator.ioBuffer(bytes).writeZero(TOO_MANY_BYTES).writeByte(7);
        assertFalse(buffer.hasMemoryAddress());
        assertEquals(7, buffer.getByte(TOO_MANY_BYTES));
        buffer.release();
      }
    }
  }

  /// With this flag Netty uses `Unsafe`, and its buffers do not say where they are.
  @Test
  void buffer_thatDoesNotSayWhereItIs_isUsable() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .redirectErrorStream(true)
            .start();
    child.getOutputStream().close();
    var said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), said);
  }
}
