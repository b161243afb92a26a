package dev.rondo.netty;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// What Lettuce is made of, on the scheduler's loop: its event loop, its executor and its timer. It
/// has no thread of its own then.
final class LettuceOnTheLoop {

  /// Lettuce would take io_uring by itself, and does not ask which transport the loop has.
  static void chooseTransport(NettyTransport transport) {
    System.setProperty("io.lettuce.core.iouring", "false");
    System.setProperty("io.lettuce.core.epoll", "" + (transport == NettyTransport.EPOLL));
  }

  static ClientResources resources(WaitForNetty netty, ByteBufAllocator allocator) {
    return ClientResources.builder()
        .eventLoopGroupProvider(new OneLoop(netty))
        .eventExecutorGroup(netty.group())
        .timer(new LoopTimer(netty))
        .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .nettyCustomizer(
            new NettyCustomizer() {
              @Override
              public void afterBootstrapInitialized(Bootstrap bootstrap) {
                bootstrap.option(ChannelOption.ALLOCATOR, allocator);
              }
            })
        .build();
  }

  static RedisClient client(ClientResources resources, InetSocketAddress address) {
    RedisURI uri = RedisURI.create(address.getAddress().getHostAddress(), address.getPort());
    RedisClient client = RedisClient.create(resources, uri);
    client.setOptions(
        ClientOptions.builder()
            .protocolVersion(ProtocolVersion.RESP2)
            .autoReconnect(false)
            .build());
    return client;
  }

  private LettuceOnTheLoop() {}

  /// The group of the loop, which is not to be shut down.
  private record OneLoop(WaitForNetty netty) implements EventLoopGroupProvider {

    @Override
    @SuppressWarnings("unchecked")
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
      return (T) netty.group();
    }

    @Override
    public int threadPoolSize() {
      return 1;
    }

    @Override
    public Future<Boolean> release(
        EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
      return netty.group().next().newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
      return netty.group().next().newSucceededFuture(true);
    }
  }

  /// Timeouts as timers of the loop.
  private record LoopTimer(WaitForNetty netty) implements Timer {

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
      return new LoopTimeout(this, task, delay, unit);
    }

    @Override
    public Set<Timeout> stop() {
      return Set.of();
    }
  }

  private static final class LoopTimeout implements Timeout {

    private final LoopTimer timer;
    private final TimerTask task;
    private final Future<?> scheduled;

    LoopTimeout(LoopTimer timer, TimerTask task, long delay, TimeUnit unit) {
      this.timer = timer;
      this.task = task;
      this.scheduled = timer.netty().group().next().schedule(this::expire, delay, unit);
    }

    private Void expire() throws Exception {
      task.run(this);
      return null;
    }

    @Override
    public Timer timer() {
      return timer;
    }

    @Override
    public TimerTask task() {
      return task;
    }

    @Override
    public boolean isExpired() {
      return scheduled.isDone() && !scheduled.isCancelled();
    }

    @Override
    public boolean isCancelled() {
      return scheduled.isCancelled();
    }

    @Override
    public boolean cancel() {
      return scheduled.cancel(false);
    }
  }
}
