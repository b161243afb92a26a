package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.rondo.io.WaitForIO;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// The loop that accepts connections for the loops of a group.
final class AcceptorLoopTest {

  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final AcceptorLoop acceptor =
      new AcceptorLoop(
          "acceptor",
          (name, body) -> Thread.ofPlatform().name(name).unstarted(body),
          () -> Application.builder().bare().build(),
          (where, failure) -> {},
          (where, failure) -> {}); // a mock accepts nothing

  private final AtomicBoolean inUse = new AtomicBoolean();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final FutureTask<DealtPort> listeningAgain = new FutureTask<>(() -> listenAfter(closing));
  private final Thread another = Thread.ofPlatform().unstarted(listeningAgain);

  /// On the thread of a loop.
  private DealtPort listenAfter(CountDownLatch begins) throws Exception {
    var server = mock(ServerSocketChannel.class);
    when(server.getLocalAddress()).thenReturn(ADDRESS);
    when(server.bind(any(), anyInt())).then(call -> bind(server));
    doAnswer(call -> close()).when(server).close();
    var provider = mock(SelectorProvider.class, delegatesTo(SelectorProvider.provider()));
    doReturn(server).when(provider).openServerSocketChannel();
    try (Application loop =
        Application.builder()
            .bare()
            .addOn(scheduler -> WaitForIO.on(scheduler, provider))
            .build()) {
      begins.await();
      return acceptor.share(loop, ADDRESS, 1, port -> port);
    }
  }

  private ServerSocketChannel bind(ServerSocketChannel server) throws BindException {
    if (!inUse.compareAndSet(false, true)) {
      throw new BindException("in use");
    }
    return server;
  }

  /// Lets the other loop listen again before the address is free.
  private Object close() {
    if (Thread.currentThread() == another) {
      return ""; // it is not bound
    }
    closing.countDown();
    while (another.getState() != Thread.State.BLOCKED && !listeningAgain.isDone()) {
      Thread.onSpinWait();
    }
    inUse.set(false);
    return "";
  }

  @Test
  void share_portIsBeingClosed_listensOnItAgain() throws Exception {
    another.start();
    try {
      listenAfter(new CountDownLatch(0)).left();
      assertEquals(ADDRESS, listeningAgain.get(10, TimeUnit.SECONDS).address());
    } finally {
      closing.countDown();
      acceptor.end();
      another.join();
    }
  }
}
