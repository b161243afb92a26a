package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.WaitForNetty;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.string.LineEncoder;
import io.netty.handler.codec.string.StringDecoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A server of Netty's channels and twenty clients, all of them tasks on one thread. Netty's codecs
/// make lines of bytes; the tasks receive and send the lines. The server ends after the last
/// client.
final class NettyLines {

  private static final int CLIENTS = 20;
  private static final int LINES = 50;
  private static final int LONGEST_LINE_BYTES = 80;

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
      WaitForNetty netty = WaitForNetty.on(app.scheduler());
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      NettyListener listener = netty.listen(address, new Lines());
      app.spawn("accept", () -> accept(app, listener));
      var clients = app.<Integer>newGroup("clients");
      clients.run(() -> {
        for (int i = 0; i < CLIENTS; i++) {
          String name = "client " + i;
          clients.spawn(name, () -> converse(netty, name, listener));
        }
      });
      listener.close(); // ends accept()
      int lines = clients.results().stream().mapToInt(Integer::intValue).sum();
      IO.println("%d clients, %d answers".formatted(CLIENTS, lines));
    });
  }

  private static void accept(Application app, NettyListener listener) throws IOException {
    try {
      while (true) {
        NettyChannel channel = listener.accept();
        app.spawn("answer " + channel, () -> answer(channel));
      }
    } catch (ChannelClosedException e) {
      // the listener was closed
    }
  }

  private static void answer(NettyChannel channel) throws IOException {
    try (channel) {
      for (String line; (line = channel.receive(String.class)) != null; ) {
        channel.send("you said: " + line);
      }
    }
  }

  private static int converse(WaitForNetty netty, String name, NettyListener listener)
      throws IOException {
    int answers = 0;
    try (NettyChannel channel = netty.connect(listener.localAddress(), new Lines())) {
      for (int i = 0; i < LINES; i++) {
        String line = name + " line " + i;
        channel.send(line);
        if (("you said: " + line).equals(channel.receive(String.class))) {
          answers++;
        }
      }
    }
    return answers;
  }
}
