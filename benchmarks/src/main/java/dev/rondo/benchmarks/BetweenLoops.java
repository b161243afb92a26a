package dev.rondo.benchmarks;

import dev.rondo.computicle.Computicle;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.vertx.core.Context;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Loops with a thread each, which exchange messages: Rondo's and the peers'.
public final class BetweenLoops {

  /// Two on one side, one on the other.
  static final int LOOPS = 3;

  static final String MESSAGE = "message";

  private BetweenLoops() {}

  /// Counts what one loop has received.
  static final class Receiver implements Runnable {
    private final CountDownLatch done;
    private int left;

    Receiver(int messages, CountDownLatch done) {
      this.left = messages;
      this.done = done;
    }

    @Override
    public void run() {
      if (--left == 0) {
        done.countDown();
      }
    }
  }

  /// Computicles.
  @State(Scope.Thread)
  public static class Rondo {
    final List<Computicle<Void>> loops = new ArrayList<>();

    {
      for (int i = 0; i < LOOPS; i++) {
        loops.add(Computicle.builder("loop" + i).start());
      }
    }

    @TearDown
    public void close() {
      loops.forEach(Computicle::close);
    }
  }

  /// Dispatchers of kotlinx.coroutines.
  @State(Scope.Thread)
  public static class Kotlinx {
    final LoopPeers loops = new LoopPeers(LOOPS);

    @TearDown
    public void close() {
      loops.close();
    }
  }

  /// Event loops of Netty. They have no back-pressure: messages queue up.
  @State(Scope.Thread)
  public static class Netty {
    private final MultiThreadIoEventLoopGroup group =
        new MultiThreadIoEventLoopGroup(LOOPS, NioIoHandler.newFactory());

    final List<EventLoop> loops = List.of(group.next(), group.next(), group.next());

    @TearDown
    public void close() {
      group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  /// Contexts of Vert.x, on an event loop each, and its event bus in one process. It has no
  /// back-pressure either.
  @State(Scope.Thread)
  public static class VertxBus {

    private static final class Verticle extends VerticleBase {
      Context context() {
        return context;
      }
    }

    final Vertx vertx;
    final List<Context> loops = new ArrayList<>();

    {
      InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE); // silent
      vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
      for (int i = 0; i < LOOPS; i++) {
        var verticle = new Verticle();
        vertx.deployVerticle(verticle).await();
        loops.add(verticle.context());
      }
    }

    @TearDown
    public void close() {
      vertx.close().await();
    }
  }
}
