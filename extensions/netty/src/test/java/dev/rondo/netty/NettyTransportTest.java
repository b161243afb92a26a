package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Which transport a scheduler has, and what is said where there is none.
final class NettyTransportTest {

  private static @Nullable String possible(NettyTransport transport) {
    return null;
  }

  private static String noLibrary(NettyTransport transport) {
    return "no library";
  }

  @Test
  void of_nothingIsNamed_isEpollWherePossible() {
    assertEquals(NettyTransport.EPOLL, NettyTransport.of(null, NettyTransportTest::possible, true));
    assertEquals(NettyTransport.NIO, NettyTransport.of(null, NettyTransportTest::possible, false));
    assertEquals(NettyTransport.NIO, NettyTransport.of(null, NettyTransportTest::noLibrary, true));
  }

  @Test
  void of_isNamed_isThatOneInAnyCase() {
    assertEquals(
        NettyTransport.IO_URING, NettyTransport.of("io_uring", NettyTransportTest::possible, true));
    assertEquals(
        NettyTransport.KQUEUE, NettyTransport.of("KQueue", NettyTransportTest::possible, true));
    assertEquals(
        NettyTransport.NIO, NettyTransport.of("epoll", NettyTransportTest::possible, false));
  }

  @Test
  void of_libraryIsMissing_saysWhich() {
    var failure =
        assertThrows(
            UnsupportedOperationException.class,
            () -> NettyTransport.of("epoll", NettyTransportTest::noLibrary, true));
    assertEquals("there is no transport EPOLL: no library", failure.getMessage());
  }

  @Test
  void of_unknownName_saysWhichThereAre() {
    var failure =
        assertThrows(
            IllegalArgumentException.class,
            () -> NettyTransport.of("udp", NettyTransportTest::possible, true));
    assertEquals(
        "no transport of Netty is named 'udp'; there are nio, epoll, io_uring, kqueue",
        failure.getMessage());
  }

  @Test
  void whyNot_classesAreMissing_namesTheLibraries() {
    assertEquals(
        "it requires io.netty:netty-transport-classes-x and io.netty:netty-transport-native-x with"
            + " the classifier of the system",
        NativeTransports.whyNot(
            "x",
            () -> {
              throw new NoClassDefFoundError("io/netty/channel/x/X");
            }));
    assertNull(NativeTransports.whyNot("x", () -> null));
  }

  @Test
  void kqueue_onLinux_isNotThere() {
    assertNotNull(NettyTransport.KQUEUE.whyNot());
    try (Scheduler scheduler = Scheduler.builder().build()) {
      assertThrows(
          UnsupportedOperationException.class,
          () -> WaitForNetty.on(scheduler, NettyTransport.KQUEUE));
      assertNull(scheduler.host().addOn(WaitForNetty.class));
    }
  }

  @Test
  void on_twice_isTheSame() {
    try (Scheduler scheduler = Scheduler.builder().build()) {
      WaitForNetty netty = WaitForNetty.on(scheduler);
      assertSame(netty, WaitForNetty.on(scheduler));
      assertThrows(
          IllegalStateException.class, () -> WaitForNetty.on(scheduler, NettyTransport.NIO));
      assertTrue(netty.transport().whyNot() == null);
    }
  }
}
