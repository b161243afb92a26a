package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// Which transports a loop on a virtual thread has. Its backend is HANDOFF: there is no other.
final class LoopThreadTest {

  private static final ChannelInitializer<Channel> NO_HANDLERS =
      new ChannelInitializer<>() {
        @Override
        protected void initChannel(Channel channel) {}
      };

  /// Builds a scheduler on a new thread and makes a call there, in a task or not.
  private static <T> T onThread(Thread.Builder threads, boolean inTask, SchedulerCall<T> call)
      throws Exception {
    var made = new FutureTask<>(() -> scheduled(inTask, call));
    threads.start(made);
    return made.get();
  }

  private interface SchedulerCall<T> {
    T call(Scheduler scheduler) throws Exception;
  }

  private static <T> T scheduled(boolean inTask, SchedulerCall<T> call) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
      var _ = WaitForTime.on(scheduler);
      Callable<T> bound = () -> call.call(scheduler);
      if (!inTask) {
        return bound.call();
      }
      var task = scheduler.spawn("main", bound::call);
      scheduler.start();
      return task.join();
    }
  }

  private static String echo(Scheduler scheduler, NettyTransport transport) throws Exception {
    WaitForNetty netty = WaitForNetty.on(scheduler, transport);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (NettyListener listener = netty.listen(address, NO_HANDLERS);
        NettyChannel client = netty.connect(listener.localAddress(), NO_HANDLERS);
        NettyChannel server = listener.accept()) {
      client.send(Unpooled.copiedBuffer("text", StandardCharsets.US_ASCII));
      server.send(server.receive());
      ByteBuf returned = Objects.requireNonNull(client.receive(ByteBuf.class));
      String text = returned.toString(StandardCharsets.US_ASCII);
      returned.release();
      return text;
    }
  }

  private static void requireThere(NettyTransport transport) {
    assumeTrue(transport.whyNot() == null, () -> transport + ": " + transport.whyNot());
  }

  private static String refusal(Scheduler scheduler, NettyTransport transport) {
    var failure =
        assertThrows(
            UnsupportedOperationException.class, () -> WaitForNetty.on(scheduler, transport));
    assertNull(scheduler.host().addOn(WaitForNetty.class));
    return String.valueOf(failure.getMessage());
  }

  @Test
  void install_nioOnAVirtualThread_works() throws Exception {
    assertEquals(
        "text", onThread(Thread.ofVirtual(), true, each -> echo(each, NettyTransport.NIO)));
  }

  @Test
  void on_aVirtualThread_isNio() throws Exception {
    assertEquals(
        NettyTransport.NIO,
        onThread(Thread.ofVirtual(), true, each -> WaitForNetty.on(each).transport()));
  }

  /// A wait of theirs keeps the carrier, which the other virtual threads may need to end it; and a
  /// ring fails once its thread has another carrier.
  @ParameterizedTest
  @CsvSource({"EPOLL, false", "EPOLL, true", "IO_URING, false", "IO_URING, true"})
  void install_nativeOnAVirtualThread_isRefused(NettyTransport transport, boolean inTask)
      throws Exception {
    requireThere(transport);
    String message = onThread(Thread.ofVirtual(), inTask, each -> refusal(each, transport));
    assertEquals(
        "the transport %s requires a loop on a platform thread, and this one's is virtual"
            .formatted(transport),
        message.substring(0, message.indexOf(':')));
  }

  /// The task's own thread is a virtual one in either case.
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "KQUEUE")
  void install_inATaskOfAPlatformThread_works(NettyTransport transport) throws Exception {
    requireThere(transport);
    assertEquals("text", onThread(Thread.ofPlatform(), true, each -> echo(each, transport)));
  }
}
