package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.NettyTransport;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.LineEncoder;
import io.netty.handler.codec.string.StringDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// A server with Netty channels and twenty clients, all of them tasks on one thread. Netty's codecs
/// make lines of bytes; the tasks receive and send the lines. The server ends after the last
/// client.
final class NettyLines {

  private static final int CLIENTS = 20;
  private static final int LINES = 50;
  private static final int LONGEST_LINE_BYTES = 80;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// Netty's handlers, as with any other event loop.
  private static final class Lines extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(new LineBasedFrameDecoder(LONGEST_LINE_BYTES))
          .addLast(new StringDecoder())
          .addLast(new LineEncoder());
    }
  }

  private NettyLines() {}

  static void main() {
    Application.run(app -> {
      WaitForNetty netty = WaitForNetty.on(app.scheduler(), NettyTransport.NIO);
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      NettyListener listener = netty.listen(address, new Lines());
      Task<Void> accepting = app.spawn("accept", () -> accept(app, listener));
      IO.println("the server is up: " + isUp(app, netty, listener));
      var clients = app.<Integer>newGroup("clients");
      clients.run(() -> {
        for (int i = 0; i < CLIENTS; i++) {
          String name = "client " + i;
          clients.spawn(name, () -> converse(netty, name, listener));
        }
      });
      accepting.cancel("all clients are served");
      int lines = clients.results().stream().mapToInt(Integer::intValue).sum();
      IO.println("%d clients, %d answers".formatted(CLIENTS, lines));
      app.waitFor(() -> netty.openCount() == 0);
      IO.println("all is closed, %d waits".formatted(netty.waiterCount()));
    });
  }

  private static void accept(Application app, NettyListener listener) {
    try (listener) {
      while (app.select(listener.accepting(), app.shutdownRequested()).value()
          instanceof NettyChannel channel) {
        app.spawn("answer " + channel, () -> answer(channel));
      }
    }
  }

  private static void answer(NettyChannel channel) throws IOException {
    try (channel) {
      for (String line; (line = channel.receive(String.class)) != null; ) {
        channel.send("you said: " + line);
      }
    }
  }

  /// {@return whether the server accepts a connection within [#PATIENCE]}
  private static boolean isUp(Application app, WaitForNetty netty, NettyListener listener) {
    Selection<?> first =
        app.select(
            netty.connecting(listener.localAddress(), new Lines()), app.time().after(PATIENCE));
    if (first.value() instanceof NettyChannel channel) {
      channel.close();
      return true;
    }
    return false;
  }

  private static int converse(WaitForNetty netty, String name, NettyListener listener)
      throws IOException {
    int answers = 0;
    try (NettyChannel channel = netty.connect(listener.localAddress(), new Lines())) {
      for (int i = 0; i < LINES; i++) {
        channel.write(name + " line " + i);
      }
      channel.flush(); // all lines in one write of the system
      for (int i = 0; i < LINES; i++) {
        if (("you said: " + name + " line " + i).equals(channel.receive(String.class))) {
          answers++;
        }
      }
    }
    return answers;
  }
}
