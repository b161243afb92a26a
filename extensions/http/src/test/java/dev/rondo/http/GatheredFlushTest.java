package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Ticker;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Messages of several tasks, flushed together.
final class GatheredFlushTest extends Http2Rig {

  private static final int TASKS = 10;
  private static final int PEER_TIMEOUT_MILLIS = 10_000;

  private int flushes;

  private volatile long nowNanos;

  /// Whether time stands still: a poll that is due in the middle would flush.
  private volatile boolean timeStands;

  @Override
  protected SchedulerBuilder settings() {
    return super.settings()
        .ticker(
            new Ticker() {
              @Override
              public long read() {
                if (!timeStands) {
                  nowNanos = System.nanoTime();
                }
                return nowNanos;
              }
            });
  }

  /// Counts what reaches the transport but for what Netty's codec of HTTP/2 flushes when it has
  /// read: it does so after each read, whether there is something or not, and what the server
  /// answers may arrive at any time.
  private final class Flushes extends ChannelDuplexHandler {

    private boolean reading;

    @Override
    public void flush(ChannelHandlerContext context) {
      if (!reading) {
        flushes++;
      }
      context.flush();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      reading = true;
      context.fireChannelReadComplete();
      reading = false;
    }
  }

  private ByteBuf oneByte() {
    return allocator.buffer().writeByte('x');
  }

  private List<Task<Void>> sendFromTasks(NettyChannel channel) {
    var tasks = new ArrayList<Task<Void>>();
    for (int i = 0; i < TASKS; i++) {
      tasks.add(scheduler.spawn("sender " + i, () -> channel.send(oneByte())));
    }
    return tasks;
  }

  private static void receive(NettyChannel channel, int bytes) throws IOException {
    for (int left = bytes; left > 0; ) {
      ByteBuf part = Objects.requireNonNull(channel.receive(ByteBuf.class));
      left -= part.readableBytes();
      part.release();
    }
  }

  /// How often what ten tasks send is flushed.
  private void assertFlushes(int expected, boolean gathered) {
    run(() -> {
      try (NettyListener listener = listen();
          NettyChannel client =
              connect(listener, channel -> channel.pipeline().addLast(new Flushes()));
          NettyChannel server = listener.accept()) {
        if (gathered) {
          ChannelControl.of(client).gatherFlushes();
        }
        timeStands = true;
        for (int round = 0; round < 2; round++) {
          flushes = 0;
          for (Task<Void> each : sendFromTasks(client)) {
            var _ = each.join();
          }
          assertEquals(expected, flushes);
          receive(server, TASKS);
        }
      }
    });
  }

  @Test
  void send_ofManyTasks_isFlushedOnce() {
    boolean gathers = LoopControl.of(scheduler.host()).backend().sharesThread();
    assertFlushes(gathers ? 1 : TASKS, true);
  }

  @Test
  void send_onStreamsOfOneConnection_isFlushedOnce() {
    assumeTrue(
        LoopControl.of(scheduler.host()).backend().sharesThread(), "elsewhere each is flushed");
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")));
          var client = new Http2Client(server)) {
        var requests = new ArrayList<Http2Request>();
        for (int i = 0; i < TASKS; i++) {
          Http2Request request = client.open();
          ChannelControl.of(request.channel).gatherFlushes();
          requests.add(request);
        }
        settle();
        client.connection.channel().pipeline().addFirst(new Flushes());
        timeStands = true;
        flushes = 0;
        var tasks = new ArrayList<Task<Void>>();
        for (Http2Request each : requests) {
          tasks.add(scheduler.spawn("sender", () -> each.channel.send(request())));
        }
        for (Task<Void> each : tasks) {
          var _ = each.join();
        }
        assertEquals(1, flushes);
        for (Http2Request each : requests) {
          assertEquals("200 hello", each.response());
          each.close();
        }
      }
    });
  }

  private static HttpRequest request() {
    var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    request.headers().set("host", "a");
    return request;
  }

  @Test
  void send_withoutGathering_isFlushedEachTime() {
    assertFlushes(TASKS, false);
  }

  @Test
  void send_whileAnotherTaskIsAlwaysReady_returns() {
    run(() -> {
      try (NettyListener listener = listen();
          NettyChannel client = connect(listener);
          NettyChannel server = listener.accept()) {
        ChannelControl.of(client).gatherFlushes();
        Task<Void> sender = scheduler.spawn("sender", () -> client.send(oneByte()));
        await(sender::isDone); // which yields, and so is ready all the time
        receive(server, 1);
      }
    });
  }

  /// Between two runs nothing polls.
  @Test
  void trySend_asTheLastActOfARun_isSent() throws IOException {
    var channel = new AtomicReference<NettyChannel>();
    try (var peer = new Socket()) {
      runOn(
          scheduler,
          () -> {
            try (NettyListener listener = listen()) {
              peer.connect(listener.localAddress());
              channel.set(listener.accept());
            }
            return null;
          });
      timeStands = true;
      runOn(
          scheduler,
          () -> {
            ChannelControl.of(channel.get()).gatherFlushes();
            assertTrue(channel.get().trySend(oneByte()));
            return null;
          });
      peer.setSoTimeout(PEER_TIMEOUT_MILLIS);
      assertEquals('x', peer.getInputStream().read());
    }
    run(() -> channel.get().close());
  }

  @Test
  void trySend_withoutWaiting_isSent() {
    run(() -> {
      try (NettyListener listener = listen();
          NettyChannel client = connect(listener);
          NettyChannel server = listener.accept()) {
        ChannelControl.of(client).gatherFlushes();
        assertTrue(client.trySend(oneByte()));
        receive(server, 1);
      }
    });
  }

  @Test
  void send_whenThePeerHasReset_fails() {
    run(() -> {
      try (NettyListener listener = listen();
          NettyChannel client = connect(listener)) {
        ChannelControl.of(client).gatherFlushes();
        listener.accept().close();
        IOException failure = null;
        while (failure == null) {
          try {
            client.send(oneByte());
          } catch (IOException e) {
            failure = e;
          }
        }
        assertTrue(failure instanceof ConnectionResetException, failure::toString);
      }
    });
  }
}
