package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.io.Reactors;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

/// Operations that the system refuses for lack of descriptors are retried. Time stands still here,
/// so an operation that is retried only after a while is not retried at all.
class StarvationTest {

  private static final Ticker STOPPED =
      new Ticker() {
        @Override
        public long read() {
          return 0;
        }
      };

  private final List<Throwable> failures = new ArrayList<>();

  private Scheduler scheduler() {
    return Scheduler.builder()
        .ticker(STOPPED)
        .failureHandler((where, e) -> failures.add(e))
        .build();
  }

  private static void settle(Scheduler scheduler) {
    for (int i = 0; i < 10; i++) {
      scheduler.yield();
    }
  }

  @Test
  void retryLater_aChannelIsClosed_allAreTriedOnce() throws Exception {
    try (Scheduler scheduler = scheduler()) {
      WaitForIO io = WaitForIO.on(scheduler);
      var tried = new ArrayList<String>();
      scheduler.spawn(() -> {
        Reactor reactor = Reactors.of(io);
        reactor.retryLater(() -> {
          tried.add("a");
          reactor.retryLater(() -> tried.add("again")); // not before another one is closed
        });
        reactor.retryLater(() -> tried.add("b"));
        TcpListener one = io.listen(0);
        TcpListener other = io.listen(0);
        settle(scheduler);
        assertEquals(List.of(), tried);
        one.close();
        settle(scheduler);
        assertEquals(List.of("a", "b"), tried);
        other.close();
        settle(scheduler);
        assertEquals(List.of("a", "b", "again"), tried);
      });
      scheduler.start();
    }
    assertEquals(List.of(), failures);
  }

  /// Accepts the given connections, and otherwise has no descriptors left.
  private static final class Script extends ServerSocketChannel {

    private final Queue<SocketChannel> accepted = new ArrayDeque<>();
    private int refused;

    /// How often it refuses first.
    private int refusals;

    Script() throws IOException {
      super(SelectorProvider.provider());
      configureBlocking(false);
    }

    @Override
    public SocketChannel accept() throws IOException {
      if (refusals > 0) {
        refusals--;
        refused++;
        throw new IOException("Too many open files");
      }
      return accepted.poll();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) {
      throw new AssertionError();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
      throw new AssertionError();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
      throw new AssertionError();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return Set.of();
    }

    @Override
    public ServerSocket socket() {
      throw new AssertionError();
    }

    @Override
    public SocketAddress getLocalAddress() {
      throw new AssertionError();
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}
  }

  @FunctionalInterface
  private interface Scenario {
    void run(Scheduler scheduler, WaitForIO io, Script script, TcpListener listener)
        throws Exception;
  }

  private void with(int connections, Scenario scenario) throws Exception {
    try (Scheduler scheduler = scheduler();
        ServerSocketChannel real =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      var script = new Script();
      for (int i = 0; i < connections; i++) {
        SocketChannel.open(real.getLocalAddress()).close();
        script.accepted.add(real.accept());
      }
      Selector selector = Selectors.whoseSelects(Answers.RETURNS_DEFAULTS);
      var io = Reactors.io(scheduler, selector, Selector::open);
      Task<?> main =
          scheduler.spawn(() -> {
            var address = (InetSocketAddress) real.getLocalAddress();
            try (var listener = Reactors.listener(io, script, address)) {
              scenario.run(scheduler, io, script, listener);
            }
          });
      scheduler.start();
      main.join();
    }
  }

  /// One report while the lack lasts, and one more for the next lack.
  @Test
  void accept_refusedAgainAfterItWasNot_isReportedAgain() throws Exception {
    with(
        2,
        (scheduler, io, script, listener) -> {
          for (int i = 1; i <= 2; i++) {
            script.refusals = 2;
            Task<TcpSocket> acceptor = scheduler.spawn(listener::accept);
            settle(scheduler);
            for (int closed = 0; closed < 2; closed++) {
              Pipe pipe = Pipe.open();
              pipe.source().configureBlocking(false);
              Reactors.of(io).register(pipe.source(), "pipe").close();
              pipe.sink().close();
              settle(scheduler);
            }
            assertTrue(acceptor.isDone());
            acceptor.join().close();
            assertEquals(i, failures.size(), failures::toString);
          }
          assertEquals(4, script.refused);
        });
  }

  /// The system closes a descriptor when the selector has released it.
  @Test
  void accept_refusedWhileAClosedChannelIsHeldByTheSelector_isTriedAgainAtOnce() throws Exception {
    with(
        1,
        (scheduler, io, script, listener) -> {
          script.refusals = 1;
          Pipe pipe = Pipe.open();
          pipe.source().configureBlocking(false);
          Reactors.of(io).register(pipe.source(), "pipe").close();
          pipe.sink().close();
          listener.accept().close();
          assertEquals(1, script.refused);
          assertEquals(List.of(), failures);
        });
  }
}
