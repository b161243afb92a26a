package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A scheduler with Netty, whose buffers are counted: after each test none may be left, no channel,
/// no wait and no unobserved failure. Skips the tests of a transport that the machine lacks.
public abstract class NettyRig extends BackendTest {

  /// A wait that takes longer hangs.
  private static final Duration HANG = Duration.ofMinutes(4);

  protected final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  protected Scheduler scheduler;
  protected WaitForNetty netty;

  /// Two ends of one connection.
  protected record Pair(NettyChannel client, NettyChannel server) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  protected abstract NettyTransport transport();

  @BeforeEach
  protected void open() {
    String why = transport().whyNot();
    assumeTrue(why == null, () -> transport() + " is not tested: " + why);
    scheduler = settings().build();
    var _ = WaitForTime.on(scheduler);
    netty = WaitForNetty.on(scheduler, transport());
  }

  /// {@return what the scheduler is built with}
  protected SchedulerBuilder settings() {
    return builder();
  }

  @AfterEach
  protected void nothingIsLeft() {
    if (scheduler == null) {
      return; // the test was skipped
    }
    int open = netty.openCount();
    int waits = netty.waiterCount();
    scheduler.close();
    assertEquals(List.of(), takeReported(), "failures that the test did not check");
    assertEquals(0, open, "open channels");
    assertEquals(0, waits, "waits");
    assertEquals(0, LoopView.of(scheduler).openChannels().count(), "listed channels");
    assertEquals(0, allocator.metric().usedDirectMemory(), "bytes of direct buffers");
    assertEquals(0, allocator.metric().usedHeapMemory(), "bytes of heap buffers");
  }

  /// Runs a test as the main task, and waits until what it has closed is closed: a connection may
  /// linger for a second.
  protected void run(Callable<?> main) {
    runOn(
        scheduler,
        () -> {
          var _ = main.call();
          long deadline = scheduler.host().deadlineAfter(HANG);
          while (netty.openCount() > 0 && scheduler.host().nowNanos() - deadline < 0) {
            scheduler.yield();
          }
          return null;
        });
  }

  /// The same for code without a result.
  protected void run(TaskAction<?> main) {
    run(() -> {
      main.run();
      return null;
    });
  }

  protected Bootstrap client() {
    return netty.bootstrap().option(ChannelOption.ALLOCATOR, allocator);
  }

  protected ServerBootstrap server() {
    return netty.serverBootstrap().childOption(ChannelOption.ALLOCATOR, allocator);
  }

  public static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  protected NettyListener listen() throws IOException {
    return listen(channel -> {});
  }

  protected NettyListener listen(Consumer<Channel> pipeline) throws IOException {
    return netty.listen(server().childHandler(handlers(pipeline)), anyPort());
  }

  protected NettyChannel connect(NettyListener listener) {
    return connect(listener, channel -> {});
  }

  protected NettyChannel connect(NettyListener listener, Consumer<Channel> pipeline) {
    return scheduler
        .host()
        .awaitEvent(
            netty.connecting(client().handler(handlers(pipeline)), listener.localAddress()));
  }

  protected Pair pair() throws IOException {
    try (var listener = listen()) {
      NettyChannel client = connect(listener);
      return new Pair(client, listener.accept());
    }
  }

  public static ChannelInitializer<Channel> handlers(Consumer<Channel> adds) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        adds.accept(channel);
      }
    };
  }

  protected ByteBuf bytes(String text) {
    return allocator.buffer().writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Receives some bytes and releases them.
  protected static String text(NettyChannel channel) throws IOException {
    ByteBuf received = channel.receive(ByteBuf.class);
    assertNotNull(received, "the end");
    try {
      return received.toString(StandardCharsets.UTF_8);
    } finally {
      received.release();
    }
  }

  /// A task whose result is the failure of its code.
  protected Task<Throwable> failing(Callable<?> code) {
    return scheduler.spawn(
        "failing",
        () -> {
          try {
            return new AssertionError("did not fail, but returned " + code.call());
          } catch (Exception e) {
            return e;
          }
        });
  }

  /// Gives the other tasks turns until something is so.
  protected void await(BooleanSupplier condition) {
    long deadline = scheduler.host().deadlineAfter(HANG);
    while (!condition.getAsBoolean()) {
      if (scheduler.host().nowNanos() - deadline > 0) {
        throw new AssertionError("it does not happen");
      }
      scheduler.yield();
    }
  }

  /// Gives the other tasks turns until all of them wait.
  protected void settle() {
    for (int i = 0; i < 10; i++) {
      scheduler.yield();
    }
  }

  protected <X extends Throwable> X thrownBy(Class<X> type, Task<? extends Throwable> failed) {
    Throwable found = failed.join();
    if (!type.isInstance(found)) {
      throw new AssertionError("required=" + type.getName() + ", found=" + found, found);
    }
    return type.cast(found);
  }
}
