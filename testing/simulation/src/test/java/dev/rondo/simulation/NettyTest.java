package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Netty's own NIO transport, unmodified, over simulated hosts. Its loops run by hand on the thread
/// of the network, with its time.
final class NettyTest {

  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80);

  private final SimulatedNetwork network = new SimulatedNetwork().random(new SplittableRandom(5));
  private final SimulatedHost server = network.host("server", "10.0.0.1");
  private final SimulatedHost client = network.host("client", "10.0.0.2");
  private final ManualIoEventLoop serverLoop = loop(server);
  private final ManualIoEventLoop clientLoop = loop(client);

  /// The time of the network, for Netty's timers.
  private final class NetworkTicker implements Ticker {

    @Override
    public long initialNanoTime() {
      return 0;
    }

    @Override
    public long nanoTime() {
      return network.elapsed().toNanos();
    }

    @Override
    public void sleep(long delay, TimeUnit unit) {
      network.advanceBy(Duration.of(delay, unit.toChronoUnit()));
    }
  }

  private ManualIoEventLoop loop(SimulatedHost host) {
    return new ManualIoEventLoop(
        null,
        Thread.currentThread(),
        NioIoHandler.newFactory(host.provider()),
        new NetworkTicker());
  }

  /// Runs both loops until a condition holds.
  private void runUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      int done = serverLoop.runNow() + clientLoop.runNow();
      if (done == 0) {
        assertTrue(network.advance(), "nothing can happen any more");
      }
    }
  }

  private Channel done(ChannelFuture future) {
    runUntil(future::isDone);
    assertTrue(future.isSuccess(), () -> "" + future.cause());
    return future.channel();
  }

  private static <C extends Channel> ChannelInitializer<C> handlers(Consumer<C> adds) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(C channel) {
        adds.accept(channel);
      }
    };
  }

  private Channel listen(ChannelInitializer<Channel> handlers) {
    return done(
        new ServerBootstrap()
            .group(serverLoop)
            .channelFactory(() -> new NioServerSocketChannel(server.provider()))
            .childHandler(handlers)
            .bind(SERVER));
  }

  private Bootstrap connecting(ChannelInitializer<Channel> handlers) {
    return new Bootstrap()
        .group(clientLoop)
        .channelFactory(() -> new NioSocketChannel(client.provider()))
        .handler(handlers);
  }

  private static final class Echo extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
      context.writeAndFlush(message.retain());
    }
  }

  private static final class Collector extends SimpleChannelInboundHandler<ByteBuf> {

    private final StringBuilder text = new StringBuilder();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
      text.append(message.toString(StandardCharsets.UTF_8));
    }
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }

  // TCP.

  @Test
  void echo_overALossyLink_arrivesUnchanged() {
    assertEquals(echo(), new NettyTest().echo());
    assertTrue(network.elapsed().toSeconds() < 60);
  }

  /// {@return the time it took}
  private Duration echo() {
    network.links().latency(Duration.ofMillis(10)).loss(0.05);
    Channel listener = listen(handlers(channel -> channel.pipeline().addLast(new Echo())));
    var collector = new Collector();
    Channel near =
        done(
            connecting(handlers(channel -> channel.pipeline().addLast(collector))).connect(SERVER));
    String sent = "0123456789".repeat(50_000);
    var written = near.writeAndFlush(bytes(sent));
    runUntil(() -> collector.text.length() == sent.length());
    assertEquals(sent, collector.text.toString());
    assertTrue(written.isSuccess());
    done(near.close());
    done(listener.close());
    return network.elapsed();
  }

  @Test
  void http_request_hasItsResponse() {
    listen(
        handlers(channel ->
            channel
                .pipeline()
                .addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20))
                .addLast(new Hello())));
    List<String> responses = new ArrayList<>();
    Channel near =
        done(
            connecting(
                    handlers(channel ->
                        channel
                            .pipeline()
                            .addLast(new HttpClientCodec(), new HttpObjectAggregator(1 << 20))
                            .addLast(new Responses(responses))))
                .connect(SERVER));
    for (int i = 1; i <= 2; i++) {
      var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/" + i);
      request.headers().set(HttpHeaderNames.HOST, "server");
      near.writeAndFlush(request);
      int count = i;
      runUntil(() -> responses.size() == count);
    }
    assertEquals(List.of("200 OK: hello /1", "200 OK: hello /2"), responses);
    assertTrue(network.elapsed().toMillis() < 2);
  }

  private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      var response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, bytes("hello " + request.uri()));
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
      context.writeAndFlush(response);
    }
  }

  private static final class Responses extends SimpleChannelInboundHandler<FullHttpResponse> {

    private final List<String> responses;

    Responses(List<String> responses) {
      this.responses = responses;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      responses.add(response.status() + ": " + response.content().toString(StandardCharsets.UTF_8));
    }
  }

  // Failures.

  @Test
  void connect_cut_failsAfterNettysTimeout() {
    network.links().cut();
    ChannelFuture connected =
        connecting(handlers(channel -> {}))
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5_000)
            .connect(SERVER);
    runUntil(connected::isDone);
    assertInstanceOf(ConnectTimeoutException.class, connected.cause());
    assertEquals(7, network.elapsed().toSeconds(), "the first event after the timeout");
  }

  @Test
  void crash_ofTheServer_closesTheConnection() {
    List<Channel> accepted = new ArrayList<>();
    listen(handlers(accepted::add));
    Channel near = done(connecting(handlers(channel -> {})).connect(SERVER));
    runUntil(() -> !accepted.isEmpty());
    server.crash();
    while (near.isOpen()) {
      if (clientLoop.runNow() == 0) {
        assertTrue(network.advance(), "nothing can happen any more");
      }
    }
    assertFalse(near.isActive());
  }

  // UDP.

  @Test
  void datagram_isAnswered() {
    done(
        new Bootstrap()
            .group(serverLoop)
            .channelFactory(() -> new NioDatagramChannel(server.provider()))
            .handler(handlers(channel -> channel.pipeline().addLast(new DatagramEcho())))
            .bind(SERVER));
    List<String> answers = new ArrayList<>();
    Channel near =
        done(
            new Bootstrap()
                .group(clientLoop)
                .channelFactory(() -> new NioDatagramChannel(client.provider()))
                .handler(handlers(channel -> channel.pipeline().addLast(new Answers(answers))))
                .bind(new InetSocketAddress(0)));
    near.writeAndFlush(new DatagramPacket(bytes("ping"), SERVER));
    runUntil(() -> !answers.isEmpty());
    assertEquals(List.of("ping from " + SERVER), answers);
  }

  private static final class DatagramEcho extends SimpleChannelInboundHandler<DatagramPacket> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
      context.writeAndFlush(new DatagramPacket(packet.content().retain(), packet.sender()));
    }
  }

  private static final class Answers extends SimpleChannelInboundHandler<DatagramPacket> {

    private final List<String> answers;

    Answers(List<String> answers) {
      this.answers = answers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
      InetSocketAddress sender = packet.sender();
      answers.add(
          packet.content().toString(StandardCharsets.UTF_8)
              + " from "
              + new InetSocketAddress(
                  InetAddress.ofLiteral(sender.getAddress().getHostAddress()), sender.getPort()));
    }
  }
}
