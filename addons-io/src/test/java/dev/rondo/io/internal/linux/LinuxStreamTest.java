package dev.rondo.io.internal.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes of a socket by the system's own calls.
class LinuxStreamTest {

  private static final byte[] HELLO = {'h', 'e', 'l', 'l', 'o'};

  private EpollSelector selector;
  private Pair pair;
  private ByteChannel stream;

  @BeforeEach
  void open() throws IOException {
    selector = Epoll.open();
    pair = Pair.tcp();
    use(pair);
  }

  @AfterEach
  void close() throws IOException {
    pair.close();
    selector.close();
  }

  private void use(Pair other) throws IOException {
    other.ours().register(selector, SelectionKey.OP_READ);
    stream = selector.stream(other.ours());
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private void awaitInput() throws IOException {
    while (selector.select(key -> {}) == 0) {
      assertFalse(Thread.currentThread().isInterrupted(), "nothing came in time");
    }
  }

  private static byte[] random(int bytes) {
    var some = new byte[bytes];
    new Random(7).nextBytes(some);
    return some;
  }

  // Bytes.

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_bytesAreThere_areExactAndAtTheirPlace(boolean isDirect) throws IOException {
    ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(10) : ByteBuffer.allocate(10);
    pair.peerWrites(HELLO);
    awaitInput();
    assertEquals(3, stream.read(buffer.position(2).limit(5)));
    assertEquals(5, buffer.position());
    assertEquals(5, buffer.limit());
    assertEquals(2, stream.read(buffer.limit(9)));
    assertEquals(7, buffer.position());
    var all = new byte[10];
    buffer.clear().get(all);
    assertArrayEquals(new byte[] {0, 0, 'h', 'e', 'l', 'l', 'o', 0, 0, 0}, all);
  }

  @Test
  void read_intoASlice_goesThere() throws IOException {
    ByteBuffer whole = ByteBuffer.allocateDirect(10);
    pair.peerWrites(HELLO);
    awaitInput();
    assertEquals(4, stream.read(whole.slice(3, 4)));
    assertEquals('h', whole.get(3));
    assertEquals('l', whole.get(6));
    assertEquals(0, whole.get(2));
    assertEquals(0, whole.get(7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "heap", "direct read-only", "heap read-only"})
  void write_positionAndLimitInside_writesTheseBytes(String kind) throws IOException {
    ByteBuffer buffer = kind.startsWith("direct") ? direct(HELLO) : ByteBuffer.wrap(HELLO);
    ByteBuffer part = (kind.endsWith("only") ? buffer.asReadOnlyBuffer() : buffer).slice(1, 4);
    assertEquals(2, stream.write(part.position(1).limit(3)));
    assertEquals(3, part.position());
    assertEquals(3, part.limit());
    assertArrayEquals(new byte[] {'l', 'l'}, pair.peerReads(2));
  }

  @Test
  void bytes_ofAUnixSocket_goBothWays(@TempDir Path folder) throws IOException {
    try (var unix = Pair.unix(folder)) {
      use(unix);
      assertEquals(5, stream.write(direct(HELLO)));
      assertArrayEquals(HELLO, unix.peerReads(5));
      unix.peerWrites(HELLO);
      ByteBuffer buffer = ByteBuffer.allocateDirect(9);
      assertEquals(5, stream.read(buffer));
      assertEquals(ByteBuffer.wrap(HELLO), buffer.flip());
    }
  }

  @Test
  void write_systemTakesNoMore_is0AndAllArrivesInOrder() throws Exception {
    byte[] sent = random(20_000_000);
    ByteBuffer buffer = direct(sent);
    int taken;
    int last;
    do {
      taken = buffer.position();
      last = stream.write(buffer);
    } while (last > 0);
    assertTrue(taken < sent.length, "the system took it all");
    assertEquals(0, last);
    assertEquals(taken, buffer.position());
    Future<byte[]> received =
        CompletableFuture.supplyAsync(() -> {
          try {
            return pair.peerReads(sent.length);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    pair.ours().keyFor(selector).interestOps(SelectionKey.OP_WRITE);
    while (buffer.hasRemaining()) {
      awaitInput();
      assertTrue(stream.write(buffer) > 0);
    }
    assertArrayEquals(sent, received.get());
  }

  @Test
  void read_nothingThere_is0() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1);
    assertEquals(0, stream.read(buffer));
    assertEquals(0, buffer.position());
  }

  @Test
  void readAndWrite_noRoom_is0() throws IOException {
    pair.peerWrites(HELLO);
    awaitInput();
    assertEquals(0, stream.read(ByteBuffer.allocateDirect(0)));
    assertEquals(0, stream.write(ByteBuffer.allocateDirect(0)));
    assertEquals(5, stream.read(ByteBuffer.allocateDirect(5)));
  }

  // Endings.

  @Test
  void read_endOfStream_isMinus1AgainAndAgain() throws IOException {
    pair.peerWrites(HELLO);
    pair.peer().shutdownOutput();
    awaitInput();
    assertEquals(5, stream.read(ByteBuffer.allocateDirect(6)));
    for (int i = 0; i < 2; i++) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(6);
      assertEquals(-1, stream.read(buffer));
      assertEquals(0, buffer.position());
      assertEquals(-1, stream.read(ByteBuffer.allocate(6)));
    }
  }

  /// A broken stream must not look complete, whatever the buffers are.
  @ParameterizedTest
  @ValueSource(strings = {"direct direct", "direct heap", "heap direct", "heap heap"})
  void read_peerBrokeTheConnection_throwsAgainAndAgain(String kinds) throws IOException {
    pair.peerBreaks();
    awaitInput();
    for (String kind : kinds.split(" ", -1)) {
      ByteBuffer buffer =
          kind.equals("direct") ? ByteBuffer.allocateDirect(6) : ByteBuffer.allocate(6);
      var e = assertThrows(SocketException.class, () -> stream.read(buffer), kind);
      assertEquals("Connection reset", e.getMessage());
      assertEquals(0, buffer.position());
    }
  }

  @Test
  void write_peerBrokeTheConnection_throwsWhatTheSystemSays() throws IOException {
    pair.peerBreaks();
    awaitInput();
    ByteBuffer buffer = direct(HELLO);
    var e = assertThrows(IOException.class, () -> stream.write(buffer));
    assertEquals("Connection reset by peer", e.getMessage());
    e = assertThrows(IOException.class, () -> stream.write(buffer));
    assertEquals("Broken pipe", e.getMessage());
    assertEquals(0, buffer.position());
  }

  @Test
  void readAndWrite_afterClose_throwClosedChannel() throws IOException {
    assertTrue(stream.isOpen());
    stream.close();
    assertFalse(stream.isOpen());
    assertFalse(pair.ours().isOpen());
    assertThrows(ClosedChannelException.class, () -> stream.read(ByteBuffer.allocateDirect(1)));
    assertThrows(ClosedChannelException.class, () -> stream.read(ByteBuffer.allocate(1)));
    assertThrows(ClosedChannelException.class, () -> stream.write(direct(HELLO)));
    assertThrows(ClosedChannelException.class, () -> stream.write(ByteBuffer.wrap(HELLO)));
  }

  @Test
  void readAndWrite_closedAfterAReset_throwClosedChannel() throws IOException {
    pair.peerBreaks();
    awaitInput();
    assertThrows(SocketException.class, () -> stream.read(ByteBuffer.allocateDirect(1)));
    stream.close();
    assertThrows(ClosedChannelException.class, () -> stream.read(ByteBuffer.allocateDirect(1)));
  }

  @Test
  void readAndWrite_descriptorIsAnotherSocketsMeanwhile_doNotTouchIt() throws IOException {
    int descriptor = Descriptors.of(pair.ours());
    pair.ours().close();
    selector.selectNow(key -> {});
    var others = new ArrayDeque<Pair>();
    try {
      do {
        others.push(Pair.tcp()); // which receive the lowest free descriptors
      } while (Descriptors.of(others.element().ours()) < descriptor);
      Pair other = others.element();
      other.peerWrites(HELLO);
      assertThrows(ClosedChannelException.class, () -> stream.read(ByteBuffer.allocateDirect(9)));
      assertThrows(ClosedChannelException.class, () -> stream.write(direct(HELLO)));
      other.ours().configureBlocking(true);
      assertEquals(5, other.ours().read(ByteBuffer.allocate(9)));
    } finally {
      for (Pair each : others) {
        each.close();
      }
    }
  }

  // Unsuitable buffers.

  @Test
  void read_readOnlyBuffer_throwsIllegalArgument() throws IOException {
    pair.peerWrites(HELLO);
    awaitInput();
    ByteBuffer buffer = ByteBuffer.allocateDirect(9);
    assertThrows(IllegalArgumentException.class, () -> stream.read(buffer.asReadOnlyBuffer()));
    assertEquals(0, buffer.get(0));
    assertEquals(5, stream.read(buffer));
  }

  @Test
  void readAndWrite_memoryIsGone_throwIllegalStateAndHarmNothing() throws IOException {
    ByteBuffer gone;
    try (Arena arena = Arena.ofShared()) {
      gone = arena.allocate(100).asByteBuffer();
    }
    pair.peerWrites(HELLO);
    awaitInput();
    assertThrows(IllegalStateException.class, () -> stream.read(gone));
    assertThrows(IllegalStateException.class, () -> stream.write(gone));
    assertEquals(0, gone.position());
    ByteBuffer buffer = ByteBuffer.allocateDirect(9);
    assertEquals(5, stream.read(buffer));
    assertEquals(5, stream.write(buffer.flip()));
    assertArrayEquals(HELLO, Arrays.copyOf(pair.peerReads(5), 5));
  }
}
