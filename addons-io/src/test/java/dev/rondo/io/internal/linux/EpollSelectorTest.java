package dev.rondo.io.internal.linux;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The selector that uses `epoll`, compared with the JDK's.
class EpollSelectorTest {

  /// A descriptor that is not open.
  private static final int NONE = 19_000;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private long epolls;
  private long counters;
  private EpollSelector selector;

  @BeforeEach
  void open() throws IOException {
    epolls = Descriptors.count("anon_inode:[eventpoll]");
    counters = Descriptors.count("anon_inode:[eventfd]");
    selector = opened(Epoll.open());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    assertNothingLeft();
  }

  /// Other threads of this process may have closed descriptors meanwhile.
  private void assertNothingLeft() throws IOException {
    assertTrue(Descriptors.count("anon_inode:[eventpoll]") <= epolls, "an epoll is left");
    assertTrue(Descriptors.count("anon_inode:[eventfd]") <= counters, "an eventfd is left");
  }

  private <C extends AutoCloseable> C opened(C one) {
    opened.push(one);
    return one;
  }

  private Pair pair() throws IOException {
    return opened(Pair.tcp());
  }

  private Pipe pipe() throws IOException {
    Pipe pipe = Pipe.open();
    opened(pipe.source()).configureBlocking(false);
    opened(pipe.sink()).configureBlocking(false);
    return pipe;
  }

  private static void fill(Pipe pipe) throws IOException {
    assertEquals(1, pipe.sink().write(ByteBuffer.allocate(1)));
  }

  private Pipe fullPipe() throws IOException {
    Pipe pipe = pipe();
    fill(pipe);
    return pipe;
  }

  /// {@return the result of a select that does not block: the operations by channel}
  private Map<SelectableChannel, Integer> ready() throws IOException {
    return ready(selector);
  }

  private static Map<SelectableChannel, Integer> ready(Selector selector) throws IOException {
    var reported = new HashMap<SelectableChannel, Integer>();
    int ready =
        selector.selectNow(
            key -> assertNull(reported.put(key.channel(), key.readyOps()), "reported twice"));
    assertEquals(reported.size(), ready);
    return reported;
  }

  private Map<SelectableChannel, Integer> awaitTold() throws IOException {
    while (true) {
      var reported = new HashMap<SelectableChannel, Integer>();
      selector.select(key -> reported.put(key.channel(), key.readyOps()));
      if (!reported.isEmpty()) {
        return reported;
      }
      assertFalse(Thread.currentThread().isInterrupted(), "nothing was reported in time");
    }
  }

  /// Selects on another thread, and returns when that is about to block.
  private FutureTask<Integer> selecting(Callable<Integer> select) {
    var task = new FutureTask<>(select);
    var thread = new Thread(task);
    thread.start();
    while (!task.isDone()
        && Arrays.stream(thread.getStackTrace())
            .noneMatch(each -> each.getMethodName().equals("epollWait"))) {
      Thread.onSpinWait();
    }
    return task;
  }

  private FutureTask<Integer> selecting() {
    return selecting(() -> selector.select(key -> {}));
  }

  // Reports.

  @Test
  void select_nothingReady_tellsNothing() throws IOException {
    pair().ours().register(selector, OP_READ);
    assertEquals(Map.of(), ready());
  }

  @Test
  void select_somethingToRead_tellsRead() throws IOException {
    Pair pair = pair();
    var attachment = new Object();
    SelectionKey key = pair.ours().register(selector, OP_READ, attachment);
    pair.peerWrites(new byte[1]);
    assertEquals(Map.of(pair.ours(), OP_READ), awaitTold());
    assertEquals(Map.of(pair.ours(), OP_READ), ready(), "it is level-triggered");
    assertEquals(OP_READ, key.interestOps());
    assertSame(attachment, key.attachment());
    assertSame(selector, key.selector());
    assertSame(key, pair.ours().keyFor(selector));
  }

  @Test
  void select_roomToWrite_tellsWrite() throws IOException {
    Pair pair = pair();
    pair.ours().register(selector, OP_WRITE);
    assertEquals(Map.of(pair.ours(), OP_WRITE), ready());
  }

  @Test
  void select_bothReady_tellsBoth() throws IOException {
    Pair pair = pair();
    pair.peerWrites(new byte[1]);
    pair.ours().register(selector, OP_READ);
    awaitTold();
    pair.ours().register(selector, OP_READ | OP_WRITE);
    assertEquals(Map.of(pair.ours(), OP_READ | OP_WRITE), ready());
  }

  @Test
  void select_connectionWaits_tellsAccept() throws IOException {
    var listener = opened(ServerSocketChannel.open().bind(Pair.ANYWHERE));
    listener.configureBlocking(false);
    listener.register(selector, OP_ACCEPT);
    assertEquals(Map.of(), ready());
    opened(SocketChannel.open(listener.getLocalAddress()));
    assertEquals(Map.of(listener, OP_ACCEPT), awaitTold());
    opened(listener.accept());
    assertEquals(Map.of(), ready());
  }

  @Test
  void select_connected_tellsConnect() throws IOException {
    try (var listener = ServerSocketChannel.open().bind(Pair.ANYWHERE)) {
      SocketChannel client = connecting(listener.getLocalAddress());
      assertEquals(Map.of(client, OP_CONNECT), awaitTold());
      assertTrue(client.finishConnect());
    }
  }

  @Test
  void select_connectionRefused_tellsConnect() throws IOException {
    SocketAddress unused;
    try (var listener = ServerSocketChannel.open().bind(Pair.ANYWHERE)) {
      unused = listener.getLocalAddress();
    }
    SocketChannel client = connecting(unused);
    assertEquals(Map.of(client, OP_CONNECT), awaitTold());
    assertThrows(ConnectException.class, client::finishConnect);
  }

  private SocketChannel connecting(SocketAddress address) throws IOException {
    SocketChannel client = opened(SocketChannel.open());
    client.configureBlocking(false);
    client.register(selector, OP_CONNECT);
    client.connect(address);
    return client;
  }

  @Test
  void select_peerBrokeTheConnection_tellsAllOfInterest() throws IOException {
    Pair pair = pair();
    pair.peerBreaks();
    pair.ours().register(selector, OP_READ);
    assertEquals(Map.of(pair.ours(), OP_READ), awaitTold());
    pair.ours().register(selector, OP_READ | OP_WRITE);
    assertEquals(Map.of(pair.ours(), OP_READ | OP_WRITE), ready());
  }

  /// Otherwise a broken connection on which no task waits would keep the loop spinning.
  @Test
  void select_brokenAndOfNoInterest_blocks() throws IOException {
    Pair pair = pair();
    SelectionKey key = pair.ours().register(selector, OP_READ);
    pair.peerBreaks();
    awaitTold();
    key.interestOps(0);
    long before = System.nanoTime();
    assertEquals(0, selector.select(each -> {}, 5));
    assertTrue(System.nanoTime() - before >= 5_000_000);
  }

  @Test
  void select_pipes_areTold() throws IOException {
    Pipe pipe = fullPipe();
    pipe.source().register(selector, OP_READ);
    pipe.sink().register(selector, OP_WRITE);
    assertEquals(Map.of(pipe.source(), OP_READ, pipe.sink(), OP_WRITE), ready());
    pipe.sink().close();
    pipe.source().read(ByteBuffer.allocate(9));
    assertEquals(Map.of(pipe.source(), OP_READ), ready(), "the end");
  }

  /// The system then reports only the failure, because there is no room.
  @Test
  void select_pipeIsFullAndItsSourceClosed_tellsWrite() throws IOException {
    Pipe pipe = pipe();
    pipe.sink().register(selector, OP_WRITE);
    while (pipe.sink().write(ByteBuffer.allocate(100_000)) > 0) {}
    assertEquals(Map.of(), ready());
    pipe.source().close();
    assertEquals(Map.of(pipe.sink(), OP_WRITE), ready());
  }

  @Test
  void select_unixSocket_isTold(@TempDir Path folder) throws IOException {
    Pair pair = opened(Pair.unix(folder));
    pair.ours().register(selector, OP_READ);
    pair.peerWrites(new byte[1]);
    assertEquals(Map.of(pair.ours(), OP_READ), ready());
  }

  @Test
  void select_datagram_isTold() throws IOException {
    DatagramChannel ours = opened(DatagramChannel.open().bind(Pair.ANYWHERE));
    ours.configureBlocking(false);
    ours.register(selector, OP_READ);
    assertEquals(Map.of(), ready());
    DatagramChannel peer = opened(DatagramChannel.open().bind(Pair.ANYWHERE));
    ours.connect(peer.getLocalAddress());
    ours.disconnect(); // after which the JDK restores a socket, and informs its own keys
    peer.send(ByteBuffer.allocate(1), ours.getLocalAddress());
    assertEquals(Map.of(ours, OP_READ), awaitTold());
  }

  @Test
  void select_moreDescriptorsThanTheTableHadAtFirst_tellsJustTheReady() throws IOException {
    var expected = new HashMap<SelectableChannel, Integer>();
    for (int i = 0; i < 150; i++) {
      Pipe pipe = pipe();
      pipe.source().register(selector, OP_READ);
      if (i % 3 == 0) {
        fill(pipe);
        expected.put(pipe.source(), OP_READ);
      }
    }
    assertEquals(expected, ready());
    assertEquals(150, selector.keys().size());
  }

  @Test
  void select_moreReadyThanOneSelectTells_theNextTellTheRest() throws IOException {
    var expected = new HashSet<SelectableChannel>();
    for (int i = 0; i < 1_050; i++) {
      Pipe pipe = pipe();
      pipe.sink().register(selector, OP_WRITE);
      expected.add(pipe.sink());
    }
    var reported = new HashSet<>(ready().keySet());
    assertTrue(reported.size() < expected.size(), "one select has reported all");
    for (int i = 0; i < 3; i++) {
      reported.addAll(ready().keySet());
    }
    assertEquals(expected, reported);
  }

  // Interest.

  @Test
  void interestOps_dropped_isNotToldUntilTakenUpAgain() throws IOException {
    Pipe pipe = fullPipe();
    SelectionKey key = pipe.source().register(selector, OP_READ);
    key.interestOps(0);
    assertEquals(Map.of(), ready(), "dropped before the first select");
    key.interestOps(OP_READ);
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
    key.interestOps(0);
    key.interestOps(OP_READ);
    assertEquals(Map.of(pipe.source(), OP_READ), ready(), "dropped and taken up between selects");
    key.interestOps(0);
    assertEquals(Map.of(), ready());
    key.interestOps(OP_READ);
    key.interestOps(0);
    assertEquals(Map.of(), ready());
    assertEquals(0, key.interestOps());
    key.interestOpsOr(OP_READ);
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  @Test
  void interestOps_changed_tellsTheNewOneOnly() throws IOException {
    Pair pair = pair();
    SelectionKey key = pair.ours().register(selector, OP_READ);
    pair.peerWrites(new byte[1]);
    assertEquals(Map.of(pair.ours(), OP_READ), awaitTold());
    key.interestOps(OP_WRITE);
    assertEquals(Map.of(pair.ours(), OP_WRITE), ready());
    key.interestOps(OP_READ);
    assertEquals(Map.of(pair.ours(), OP_READ), ready());
  }

  @Test
  void interestOps_droppedInTheActionOfAnother_isNotTold() throws IOException {
    SelectionKey one = fullPipe().source().register(selector, OP_READ);
    SelectionKey two = fullPipe().source().register(selector, OP_READ);
    int ready = selector.selectNow(key -> (key == one ? two : one).interestOps(0));
    assertEquals(1, ready);
    assertEquals(1, ready().size());
  }

  @Test
  void interestOps_unknownOperation_throwsAndChangesNothing() throws IOException {
    Pipe pipe = fullPipe();
    SelectionKey key = pipe.source().register(selector, OP_READ);
    var e = assertThrows(IllegalArgumentException.class, () -> key.interestOps(OP_WRITE));
    assertTrue(e.getMessage().contains("operations=" + OP_WRITE), e::getMessage);
    assertThrows(IllegalArgumentException.class, () -> pipe.sink().register(selector, OP_READ));
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  // Wakeups.

  @Test
  void wakeup_beforeTheSelect_endsItOnce() throws IOException {
    for (int i = 0; i < 2; i++) {
      selector.wakeup().wakeup().wakeup();
      assertEquals(0, selector.select(key -> {}));
      assertNoWakeupLeft();
    }
  }

  @Test
  void wakeup_beforeASelectThatDoesNotBlock_isForgotten() throws IOException {
    selector.wakeup();
    assertEquals(0, selector.selectNow(key -> {}));
    assertNoWakeupLeft();
  }

  @Test
  void wakeup_duringTheSelect_endsIt() throws Exception {
    FutureTask<Integer> select = selecting();
    selector.wakeup().wakeup();
    assertEquals(0, select.get());
  }

  @Test
  void wakeup_somethingIsReadyToo_isToldAndTheWakeupForgotten() throws IOException {
    Pipe pipe = fullPipe();
    SelectionKey key = pipe.source().register(selector, OP_READ);
    selector.wakeup();
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
    key.interestOps(0);
    assertNoWakeupLeft();
  }

  @Test
  void wakeup_inTheAction_endsTheNextSelect() throws IOException {
    SelectionKey key = fullPipe().source().register(selector, OP_READ);
    assertEquals(
        1,
        selector.selectNow(each -> {
          key.interestOps(0);
          selector.wakeup();
        }));
    assertEquals(0, selector.select(each -> {}));
  }

  @Test
  void interrupt_beforeTheSelect_endsItAndStays() throws IOException {
    Thread.currentThread().interrupt();
    assertEquals(0, selector.select(key -> {}));
    assertTrue(Thread.interrupted());
  }

  @Test
  void interrupt_duringTheSelect_endsItAndStays() throws Exception {
    var selecting = new FutureTask<Thread>(Thread::currentThread);
    FutureTask<Integer> select =
        selecting(() -> {
          selecting.run();
          assertEquals(0, selector.select(key -> {}));
          return Thread.interrupted() ? 1 : 0;
        });
    selecting.get().interrupt();
    assertEquals(1, select.get());
  }

  // Time.

  @Test
  void select_timeout_isNotEarly() throws IOException {
    assertNoWakeupLeft();
  }

  @Test
  void selectNanos_timeout_isNotEarly() throws IOException {
    for (int i = 0; i < 10; i++) {
      long before = System.nanoTime();
      assertEquals(0, selector.selectNanos(key -> {}, 300_000));
      if (selector.countsNanos()) {
        assertTrue(System.nanoTime() - before >= 300_000);
      }
    }
  }

  @Test
  void selectNanos_longestTimeout_waitsForWhatIsReady() throws IOException {
    selector.wakeup();
    assertEquals(0, selector.selectNanos(key -> {}, Long.MAX_VALUE));
  }

  @Test
  void selectNanos_timeoutNotPositive_throwsIllegalArgument() {
    var e = assertThrows(IllegalArgumentException.class, () -> selector.selectNanos(key -> {}, 0));
    assertEquals("the timeout must be positive: nanos=0", e.getMessage());
  }

  private void assertNoWakeupLeft() throws IOException {
    long before = System.nanoTime();
    assertEquals(0, selector.select(key -> {}, 10));
    assertTrue(System.nanoTime() - before >= 10_000_000);
  }

  @Test
  void select_negativeTimeout_throwsIllegalArgument() {
    var e = assertThrows(IllegalArgumentException.class, () -> selector.select(key -> {}, -1));
    assertTrue(e.getMessage().contains("millis=-1"), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 32})
  void select_noTimeoutOrAVeryLongOne_waitsForWhatIsReady(long millis) throws Exception {
    Pipe pipe = pipe();
    pipe.source().register(selector, OP_READ);
    FutureTask<Integer> select = selecting(() -> selector.select(key -> {}, millis));
    assertFalse(select.isDone());
    fill(pipe);
    assertEquals(1, select.get());
  }

  // Closed channels and cancelled keys.

  @Test
  void closeOfAChannel_itsDescriptorIsFreedByTheNextSelect() throws IOException {
    Pair pair = pair();
    pair.peerWrites(new byte[1]);
    SelectionKey key = pair.ours().register(selector, OP_READ);
    awaitTold();
    String file = Descriptors.file(pair.ours());
    pair.ours().close();
    assertFalse(key.isValid());
    assertEquals(1, Descriptors.count(file));
    assertEquals(Map.of(), ready());
    assertEquals(0, Descriptors.count(file));
    assertNull(pair.ours().keyFor(selector));
    assertEquals(Set.of(), selector.keys());
    assertThrows(CancelledKeyException.class, key::interestOps);
    assertThrows(CancelledKeyException.class, key::readyOps);
    assertThrows(CancelledKeyException.class, () -> key.interestOps(OP_READ));
  }

  @Test
  void closeOfAChannel_afterItsInterestHasChanged_isFreedByTheNextSelect() throws IOException {
    Pair pair = pair();
    String file = Descriptors.file(pair.ours());
    pair.ours().register(selector, OP_READ).interestOps(OP_WRITE);
    pair.ours().close();
    assertEquals(Map.of(), ready());
    assertEquals(0, Descriptors.count(file));
    assertEquals(-1, pair.peer().read(ByteBuffer.allocate(1)));
  }

  @Test
  void closeOfAChannel_whileAnotherThreadSelects_isFreedByThatSelect() throws Exception {
    Pair pair = pair();
    String file = Descriptors.file(pair.ours());
    SelectionKey key = pair.ours().register(selector, OP_READ);
    FutureTask<Integer> select = selecting();
    pair.ours().close();
    assertFalse(key.isValid());
    assertEquals(-1, pair.peer().read(ByteBuffer.allocate(1)), "the peer is notified at once");
    selector.wakeup();
    assertEquals(0, select.get());
    assertEquals(0, Descriptors.count(file));
  }

  @Test
  void closeOfAChannel_inTheActionOfAnother_isNotTold() throws IOException {
    SelectionKey one = fullPipe().source().register(selector, OP_READ);
    SelectionKey two = fullPipe().source().register(selector, OP_READ);
    int ready =
        selector.selectNow(key -> {
          try {
            (key == one ? two : one).channel().close();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    assertEquals(1, ready);
    assertEquals(1, ready().size());
  }

  @Test
  void cancel_channelRegisteredAgain_hasToWaitForASelect() throws IOException {
    Pipe pipe = fullPipe();
    SelectionKey key = pipe.source().register(selector, OP_READ);
    assertEquals(1, ready().size());
    key.cancel();
    assertFalse(key.isValid());
    assertThrows(CancelledKeyException.class, () -> pipe.source().register(selector, OP_READ));
    assertEquals(Map.of(), ready());
    pipe.source().register(selector, OP_READ);
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  @Test
  void twoSelectors_sameChannel_bothTellAndBothLetGo() throws IOException {
    EpollSelector other = opened(Epoll.open());
    Pipe pipe = fullPipe();
    String file = Descriptors.file(pipe.source());
    pipe.source().register(selector, OP_READ);
    pipe.source().register(other, OP_READ);
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
    assertEquals(Map.of(pipe.source(), OP_READ), ready(other));
    pipe.sink().close();
    pipe.source().close();
    assertEquals(Map.of(), ready());
    assertEquals(1, Descriptors.count(file));
    assertEquals(Map.of(), ready(other));
    assertEquals(0, Descriptors.count(file));
  }

  /// The JDK replaces the file of a descriptor on which a thread may block. The system has removed
  /// the first file then, and reports that the descriptor is not registered.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cancel_channelBlocksAgainAndIsClosed_isFreed(boolean bySelect) throws Exception {
    Pair pair = pair();
    Pipe pipe = fullPipe();
    pipe.source().register(selector, OP_READ);
    SelectionKey key = pair.ours().register(selector, OP_READ);
    ready();
    int descriptor = Descriptors.of(pair.ours());
    key.cancel();
    pair.ours().configureBlocking(true);
    var reader =
        new Thread(
            () -> assertThrows(IOException.class, () -> pair.ours().read(ByteBuffer.allocate(1))));
    reader.start();
    while (Arrays.stream(reader.getStackTrace())
        .noneMatch(each -> each.isNativeMethod() && each.getMethodName().startsWith("read"))) {
      Thread.onSpinWait();
    }
    pair.ours().close();
    reader.join();
    String file = Descriptors.file(pair.ours());
    long open = Descriptors.count(file);
    if (bySelect) {
      assertEquals(Map.of(pipe.source(), OP_READ), ready());
    } else {
      selector.close();
    }
    assertEquals(open - 1, Descriptors.count(file), () -> "descriptor=" + descriptor);
    assertFalse(pair.ours().isRegistered());
  }

  // Registering.

  @Test
  void register_whileAnotherThreadSelects_isToldByTheNextSelect() throws Exception {
    Pipe pipe = fullPipe();
    FutureTask<Integer> select = selecting();
    pipe.source().register(selector, OP_READ);
    selector.wakeup();
    assertEquals(0, select.get());
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  /// It receives the descriptor of a channel that the same select has found ready and released.
  @Test
  void register_descriptorWasReadyForAnother_isToldByTheNextSelectOnly() throws Exception {
    Pipe pipe = pipe();
    int descriptor = Descriptors.of(pipe.source());
    var late = new OddChannel(descriptor, () -> {});
    var early =
        new OddChannel(
            descriptor,
            () -> {
              try {
                late.register(selector, OP_READ);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    early.register(selector, OP_READ);
    FutureTask<Integer> select = selecting();
    early.close();
    fill(pipe);
    assertEquals(0, select.get());
    assertEquals(Map.of(late, OP_READ), ready());
    late.close();
  }

  @Test
  void register_foreignChannel_throwsIllegalSelector() throws IOException {
    var foreign =
        new AbstractSelectableChannel(SelectorProvider.provider()) {
          @Override
          public int validOps() {
            return OP_READ;
          }

          @Override
          protected void implCloseSelectableChannel() {}

          @Override
          protected void implConfigureBlocking(boolean block) {}
        };
    foreign.configureBlocking(false);
    assertThrows(IllegalSelectorException.class, () -> foreign.register(selector, OP_READ));
    assertFalse(foreign.isRegistered());
    assertEquals(Set.of(), selector.keys());
  }

  @Test
  void select_systemRefusesAChannel_reportsThatOfItAloneAndLosesNoOther() throws IOException {
    Pipe before = fullPipe();
    Pipe after = fullPipe();
    before.source().register(selector, OP_READ);
    var refused = opened(new OddChannel(NONE, () -> {}));
    SelectionKey key = refused.register(selector, OP_READ);
    after.source().register(selector, OP_READ);
    Map<SelectableChannel, Integer> others =
        Map.of(before.source(), OP_READ, after.source(), OP_READ);
    var all = new HashMap<>(others);
    all.put(refused, OP_READ);
    for (int i = 0; i < 2; i++) {
      assertEquals(all, ready(), "until it was asked for");
    }
    IOException why = selector.takeRefusal(key);
    assertNotNull(why);
    assertEquals("epoll_ctl: Bad file descriptor", why.getMessage());
    assertNull(selector.takeRefusal(key));
    assertEquals(others, ready());
    key.interestOps(0);
    assertEquals(others, ready());
    key.interestOps(OP_READ);
    assertEquals(all, ready(), "the system was asked again");
    key.cancel();
    assertEquals(others, ready());
    assertFalse(refused.isRegistered());
  }

  @Test
  void select_systemRefusesAChannel_doesNotBlockUntilThatWasAskedFor() throws IOException {
    var refused = opened(new OddChannel(NONE, () -> {}));
    SelectionKey key = refused.register(selector, OP_READ);
    assertEquals(1, selector.select(each -> {}));
    assertEquals(1, selector.select(each -> {}));
    assertNotNull(selector.takeRefusal(key));
    assertEquals(0, selector.selectNow(each -> {}));
    key.cancel();
    assertEquals(0, selector.selectNow(each -> {}));
  }

  /// The JDK's channels report it if the system cannot close a descriptor.
  @Test
  void closeOfAChannel_systemReportsAnError_concernsNoOther() throws IOException {
    Pipe other = fullPipe();
    other.source().register(selector, OP_READ);
    var odd =
        opened(
            new OddChannel(
                NONE,
                () -> {
                  throw new IOException("close failed");
                }));
    odd.register(selector, 0);
    odd.close();
    assertEquals(Map.of(other.source(), OP_READ), ready());
    assertFalse(odd.isRegistered());
  }

  // Unsupported and wrong calls.

  @Test
  void select_withoutAnAction_isUnsupported() {
    assertThrows(UnsupportedOperationException.class, () -> selector.select());
    assertThrows(UnsupportedOperationException.class, () -> selector.select(1));
    assertThrows(UnsupportedOperationException.class, () -> selector.selectNow());
    assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys());
  }

  @Test
  void select_inAnAction_throwsIllegalState() throws IOException {
    Pipe pipe = fullPipe();
    pipe.source().register(selector, OP_READ);
    assertEquals(
        1,
        selector.selectNow(
            key -> assertThrows(IllegalStateException.class, () -> selector.selectNow(e -> {}))));
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  @Test
  void select_actionThrows_isThrownAndToldAgain() throws IOException {
    Pipe pipe = fullPipe();
    pipe.source().register(selector, OP_READ);
    var failure = new IllegalStateException("of the action");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                selector.selectNow(key -> {
                  throw failure;
                })));
    assertEquals(Map.of(pipe.source(), OP_READ), ready());
  }

  // The end.

  @Test
  void close_letsGoOfEverything() throws IOException {
    Pair open = pair();
    Pair closed = pair();
    Pair cancelled = pair();
    var keys = new ArrayList<SelectionKey>();
    for (Pair each : List.of(open, closed, cancelled)) {
      keys.add(each.ours().register(selector, OP_READ));
    }
    ready();
    String file = Descriptors.file(closed.ours());
    closed.ours().close();
    cancelled.ours().keyFor(selector).cancel();
    selector.close();
    selector.close();
    assertFalse(selector.isOpen());
    assertNothingLeft();
    assertEquals(0, Descriptors.count(file));
    for (SelectionKey each : keys) {
      assertFalse(each.isValid());
    }
    assertTrue(open.ours().isOpen());
    assertFalse(open.ours().isRegistered());
    assertFalse(cancelled.ours().isRegistered());
    assertThrows(CancelledKeyException.class, () -> keys.get(0).interestOps(0));
  }

  @Test
  void close_afterwardsNothingWorksAndAWakeupIsHarmless() throws IOException {
    Pipe pipe = pipe();
    selector.close();
    assertSame(selector, selector.wakeup());
    assertThrows(ClosedSelectorException.class, () -> selector.select(key -> {}));
    assertThrows(ClosedSelectorException.class, () -> selector.select(key -> {}, 1));
    assertThrows(ClosedSelectorException.class, () -> selector.selectNow(key -> {}));
    assertThrows(ClosedSelectorException.class, () -> selector.keys());
    assertThrows(ClosedSelectorException.class, () -> pipe.source().register(selector, OP_READ));
    assertFalse(pipe.source().isRegistered());
  }

  @Test
  void close_whileAnotherThreadSelects_endsTheSelect() throws Exception {
    Pair pair = pair();
    SelectionKey key = pair.ours().register(selector, OP_READ);
    FutureTask<Integer> select = selecting();
    selector.close();
    assertEquals(0, select.get());
    assertFalse(key.isValid());
    assertSame(selector, selector.wakeup());
  }

  /// A wakeup found by the same select must not be read from the closed descriptor, which may
  /// belong to another file by now.
  @Test
  void close_inAnAction_endsTheSelect() throws IOException {
    fullPipe().source().register(selector, OP_READ);
    fullPipe().source().register(selector, OP_READ);
    assertEquals(2, ready().size());
    selector.wakeup();
    var reported = new ArrayList<SelectionKey>();
    assertThrows(
        ClosedSelectorException.class,
        () ->
            selector.selectNow(key -> {
              reported.add(key);
              try {
                selector.close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            }));
    assertEquals(1, reported.size());
  }

  // Compared with the JDK's.

  /// Two selectors with the same channels report the same after the same calls.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void select_anything_tellsWhatTheJdksDoes(long seed) throws IOException {
    var random = new Random(seed);
    try (Selector model = Selector.open()) {
      var pairs = new ArrayList<Pair>();
      for (int step = 0; step < 2_000; step++) {
        if (pairs.size() < 10) {
          Pair pair = pair();
          pairs.add(pair);
          pair.ours().register(model, 0);
          pair.ours().register(selector, 0);
        }
        Pair any = pairs.get(random.nextInt(pairs.size()));
        SelectionKey ours = any.ours().keyFor(selector);
        SelectionKey models = any.ours().keyFor(model);
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            int interest = random.nextInt(2) * OP_READ | random.nextInt(2) * OP_WRITE;
            if (ours != null && ours.isValid()) {
              ours.interestOps(interest);
              models.interestOps(interest);
            } else if (ours == null) {
              any.ours().register(selector, interest);
              any.ours().register(model, interest);
            }
          }
          case 3 -> any.peerWrites(new byte[1]);
          case 4 -> any.ours().read(ByteBuffer.allocate(2));
          case 5 -> {
            if (ours != null && random.nextInt(4) == 0) {
              ours.cancel();
              models.cancel();
            }
          }
          case 6 -> {
            if (random.nextInt(8) == 0) {
              any.ours().close();
              any.peer().close();
              pairs.remove(any);
            }
          }
          default -> assertTellsAs(model, step);
        }
      }
    }
  }

  /// Bytes of a peer may arrive between the two selects.
  private void assertTellsAs(Selector model, int step) throws IOException {
    Map<SelectableChannel, Integer> before;
    Map<SelectableChannel, Integer> ours;
    do {
      before = ready(model);
      ours = ready();
    } while (!before.equals(ready(model)));
    assertEquals(before, ours, "step=" + step);
  }
}
