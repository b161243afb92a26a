package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Selectors and their keys.
final class SelectorContractTest extends SocketContract {

  private static final long MILLIS = 10_000;

  // Keys.

  @Test
  void register_returnsAKeyOfBoth() throws IOException {
    Selector selector = selector();
    SocketChannel client = socket();
    SelectionKey key = client.register(selector, CONNECT, "attached");
    assertSame(selector, key.selector());
    assertSame(client, key.channel());
    assertEquals("attached", key.attachment());
    assertEquals(CONNECT, key.interestOps());
    assertTrue(key.isValid());
    assertSame(key, client.keyFor(selector));
    assertEquals(Set.of(key), selector.keys());
  }

  @Test
  void register_again_isTheSameKey() throws IOException {
    Selector selector = selector();
    SocketChannel client = socket();
    SelectionKey key = client.register(selector, CONNECT, "first");
    assertSame(key, client.register(selector, READ, "second"));
    assertEquals("second", key.attachment());
    assertEquals(READ, key.interestOps());
  }

  @Test
  void register_blockingChannel_isRefused() throws IOException {
    SocketChannel client = closing(provider.openSocketChannel());
    Selector selector = selector();
    assertThrows(IllegalBlockingModeException.class, () -> client.register(selector, READ));
  }

  @Test
  void register_operationThatDoesNotExist_isRefused() throws IOException {
    SocketChannel client = socket();
    Selector selector = selector();
    assertThrows(IllegalArgumentException.class, () -> client.register(selector, ACCEPT));
  }

  @Test
  void register_closedChannel_throwsClosed() throws IOException {
    SocketChannel client = socket();
    client.close();
    Selector selector = selector();
    assertThrows(ClosedChannelException.class, () -> client.register(selector, READ));
  }

  @Test
  void register_closedSelector_isRefused() throws IOException {
    SocketChannel client = socket();
    Selector selector = selector();
    selector.close();
    assertThrows(ClosedSelectorException.class, () -> client.register(selector, READ));
  }

  @Test
  void configureBlocking_registered_isRefused() throws IOException {
    SocketChannel client = socket();
    client.register(selector(), CONNECT);
    assertThrows(IllegalBlockingModeException.class, () -> client.configureBlocking(true));
  }

  @Test
  void interestOps_thatDoNotExist_areRefused() throws IOException {
    SelectionKey key = socket().register(selector(), CONNECT);
    assertThrows(IllegalArgumentException.class, () -> key.interestOps(ACCEPT));
    assertEquals(CONNECT, key.interestOps());
  }

  @Test
  void cancel_invalidatesAtOnce_andReleasesInTheNextSelect() throws IOException {
    Selector selector = selector();
    SocketChannel client = socket();
    SelectionKey key = client.register(selector, CONNECT);
    key.cancel();
    assertFalse(key.isValid());
    assertTrue(client.isRegistered());
    selector.selectNow();
    assertFalse(client.isRegistered());
    assertTrue(selector.keys().isEmpty());
    assertNull(client.keyFor(selector));
  }

  @Test
  void cancelledKey_operations_areRefused() throws IOException {
    SelectionKey key = socket().register(selector(), CONNECT);
    key.cancel();
    assertThrows(CancelledKeyException.class, key::interestOps);
    assertThrows(CancelledKeyException.class, () -> key.interestOps(READ));
    assertThrows(CancelledKeyException.class, key::readyOps);
  }

  @Test
  void register_cancelledNotReleased_isRefused() throws IOException {
    Selector selector = selector();
    SocketChannel client = socket();
    client.register(selector, CONNECT).cancel();
    assertThrows(CancelledKeyException.class, () -> client.register(selector, CONNECT));
  }

  @Test
  void keys_cannotBeChanged() throws IOException {
    Selector selector = selector();
    SelectionKey key = socket().register(selector, CONNECT);
    assertThrows(UnsupportedOperationException.class, () -> selector.keys().remove(key));
    assertThrows(UnsupportedOperationException.class, () -> selector.selectedKeys().add(key));
  }

  @Test
  void twoSelectors_bothReportTheChannel() throws IOException {
    Pair pair = pair();
    Selector one = selector();
    Selector other = selector();
    pair.server().register(one, READ);
    pair.server().register(other, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, one.select(MILLIS));
    assertEquals(1, other.select(MILLIS));
  }

  // Selecting.

  @Test
  void selectNow_nothingRegistered_returnsZero() throws IOException {
    assertEquals(0, selector().selectNow());
  }

  @Test
  void select_timeout_returnsZero() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    assertEquals(0, selector.select(1));
    assertTrue(selector.selectedKeys().isEmpty());
  }

  @Test
  void select_negativeTimeout_isRefused() throws IOException {
    Selector selector = selector();
    assertThrows(IllegalArgumentException.class, () -> selector.select(-1));
  }

  @Test
  void select_ready_addsToSelectedKeys() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    SelectionKey key = pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select(MILLIS));
    assertEquals(Set.of(key), selector.selectedKeys());
    assertTrue(key.isReadable());
    assertFalse(key.isWritable());
  }

  @Test
  void select_withoutTimeout_returnsWhenReady() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select());
  }

  @Test
  void select_keyNotRemoved_countsZeroAtOnce() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select(MILLIS));
    assertEquals(0, selector.select(MILLIS));
    assertEquals(1, selector.selectedKeys().size());
  }

  @Test
  void select_keyRemovedNothingRead_findsItAgain() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select(MILLIS));
    selector.selectedKeys().clear();
    assertEquals(1, selector.select(MILLIS));
  }

  @Test
  void select_keyNotRemovedNewOperation_countsOneAndAddsIt() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    SelectionKey key = pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select(MILLIS));
    key.interestOps(READ | WRITE);
    assertEquals(1, selector.select(MILLIS));
    assertEquals(READ | WRITE, key.readyOps());
  }

  @Test
  void select_allRead_findsNothing() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    pair.client().write(bytes("x"));
    assertEquals(1, selector.select(MILLIS));
    selector.selectedKeys().clear();
    assertEquals(1, pair.server().read(ByteBuffer.allocate(10)));
    assertEquals(0, selector.selectNow());
  }

  @Test
  void select_noInterest_findsNothing() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    SelectionKey key = pair.server().register(selector, 0);
    pair.client().write(bytes("x"));
    assertEquals(READ, await(pair.server(), READ));
    assertEquals(0, selector.selectNow());
    key.interestOps(READ);
    assertEquals(1, selector.selectNow());
  }

  @Test
  void select_severalReady_findsAll() throws IOException {
    Pair one = pair();
    Pair other = pair();
    Selector selector = selector();
    one.server().register(selector, WRITE);
    other.server().register(selector, WRITE);
    assertEquals(2, selector.select(MILLIS));
    assertEquals(2, selector.selectedKeys().size());
  }

  @Test
  void select_withAction_callsItForEach() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    SelectionKey key = pair.server().register(selector, READ | WRITE);
    List<SelectionKey> found = new ArrayList<>();
    assertEquals(1, selector.select(found::add, MILLIS));
    assertEquals(List.of(key), found);
    assertEquals(WRITE, key.readyOps());
    assertTrue(selector.selectedKeys().isEmpty());
  }

  @Test
  void select_withActionAgain_findsItAgain() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, WRITE);
    assertEquals(1, selector.select(_ -> {}, MILLIS));
    assertEquals(1, selector.select(_ -> {}));
    assertEquals(1, selector.selectNow(_ -> {}));
  }

  @Test
  void select_actionCloses_isAllowed() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, WRITE);
    assertEquals(1, selector.select(SelectorContractTest::close, MILLIS));
    assertEquals(0, selector.selectNow());
    assertTrue(selector.keys().isEmpty());
  }

  private static void close(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void select_actionFails_throwsItAndFindsTheRestLater() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, WRITE);
    assertThrows(
        IllegalStateException.class,
        () ->
            selector.select(
                _ -> {
                  throw new IllegalStateException("on purpose");
                },
                MILLIS));
    assertEquals(1, selector.selectNow());
  }

  @Test
  void cancelInSelected_isRemovedByTheNextSelect() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    SelectionKey key = pair.server().register(selector, WRITE);
    assertEquals(1, selector.select(MILLIS));
    key.cancel();
    assertEquals(0, selector.selectNow());
    assertTrue(selector.selectedKeys().isEmpty());
  }

  // Waking.

  @Test
  void wakeup_before_endsTheNextSelect() throws IOException {
    Selector selector = selector();
    selector.wakeup();
    assertEquals(0, selector.select());
  }

  @Test
  void wakeup_twice_endsOne() throws IOException {
    Selector selector = selector();
    selector.wakeup().wakeup();
    assertEquals(0, selector.select());
    assertEquals(0, selector.select(1));
  }

  @Test
  void wakeup_selectNow_takesIt() throws IOException {
    Pair pair = pair();
    Selector selector = selector();
    pair.server().register(selector, READ);
    selector.wakeup();
    assertEquals(0, selector.selectNow());
    assertEquals(0, selector.select(1));
  }

  @Test
  void wakeup_anotherThread_endsTheSelect() throws Exception {
    Selector selector = selector();
    Thread.ofPlatform().start(selector::wakeup).join();
    assertEquals(0, selector.select());
  }

  @Test
  void interrupt_before_endsTheSelectAndStays() throws IOException {
    Selector selector = selector();
    Thread.currentThread().interrupt();
    assertEquals(0, selector.select());
    assertTrue(Thread.interrupted());
    assertTrue(selector.isOpen());
  }

  // Closing.

  @Test
  void close_selector_releasesTheChannels() throws IOException {
    Selector selector = selector();
    SocketChannel client = socket();
    SelectionKey key = client.register(selector, CONNECT);
    selector.close();
    assertFalse(key.isValid());
    assertFalse(client.isRegistered());
    assertFalse(selector.isOpen());
    assertTrue(client.isOpen());
  }

  @Test
  void close_selectorTwice_doesNothing() throws IOException {
    Selector selector = selector();
    selector.close();
    selector.close();
    assertFalse(selector.isOpen());
  }

  @Test
  void closedSelector_operations_areRefused() throws IOException {
    Selector selector = selector();
    selector.close();
    assertThrows(ClosedSelectorException.class, selector::select);
    assertThrows(ClosedSelectorException.class, selector::selectNow);
    assertThrows(ClosedSelectorException.class, selector::keys);
    assertThrows(ClosedSelectorException.class, selector::selectedKeys);
    selector.wakeup();
  }

  // Readiness of what is not connected.

  @Test
  void listenerNotBound_register_reportsAccept() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    listener.configureBlocking(false);
    assertEquals(ACCEPT, readyNow(listener, ACCEPT)); // POLLHUP
  }

  @Test
  void socketNotConnected_register_reportsAll() throws IOException {
    assertEquals(READ | WRITE, readyNow(socket(), READ | WRITE)); // POLLHUP
  }

  @Test
  void connectRefused_reportsConnect() throws IOException {
    SocketChannel client = socket();
    client.connect(unused());
    assertEquals(CONNECT, await(client, CONNECT));
  }

  @Test
  void connected_neverReportsConnect() throws IOException {
    assertEquals(0, readyNow(pair().client(), CONNECT));
  }

  @Test
  void connected_isWritableAndNotReadable() throws IOException {
    assertEquals(WRITE, readyNow(pair().client(), READ | WRITE));
  }
}
