package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.io.AddressFamily;
import dev.rondo.io.SocketOptions;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForName;
import dev.rondo.scheduler.Selection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Ways to a server: a lookup of its name, the faster of two mirrors, and a connection with a large
/// window that is set before it is opened.
final class Dialer {

  private static final int WINDOW_BYTES = 256 << 10;
  private static final int LONGEST_LINE_BYTES = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Dialer() {}

  static void main() {
    Application.run(app -> {
      dial(app).forEach(IO::println);
      app.stop(); // the mirrors would go on
    });
  }

  /// {@return the events on the way}
  static List<String> dial(Application app) throws IOException {
    var story = new ArrayList<String>();
    var names = WaitForName.on(app.scheduler());
    InetAddress host = names.resolve("localhost", AddressFamily.IPV4).getFirst();
    story.add("localhost is " + host.getHostAddress());
    story.add(host.getHostAddress() + " is " + nameOf(names, host));

    InetSocketAddress one = mirror(app, "one");
    InetSocketAddress two = mirror(app, "two");
    Selection<?> first =
        app.select(app.io().connecting(one), app.io().connecting(two), app.time().after(PATIENCE));
    if (!(first.value() instanceof TcpSocket mirror)) {
      throw new IOException("no mirror answers within " + PATIENCE);
    }
    try (mirror) {
      story.add("mirror " + mirror.readLine(LONGEST_LINE_BYTES) + " was first");
    }

    SocketOptions large =
        SocketOptions.of(StandardSocketOptions.SO_RCVBUF, WINDOW_BYTES)
            .and(StandardSocketOptions.SO_KEEPALIVE, true);
    try (TcpSocket socket = app.io().connect(two, large)) {
      boolean alive = Boolean.TRUE.equals(socket.getOption(StandardSocketOptions.SO_KEEPALIVE));
      story.add(
          "from %s, kept alive: %b"
              .formatted(socket.localAddress().getAddress().getHostAddress(), alive));
    }
    return story;
  }

  private static String nameOf(WaitForName names, InetAddress address) {
    try {
      return names.reverse(address);
    } catch (UnknownHostException e) {
      return "nameless";
    }
  }

  private static InetSocketAddress mirror(Application app, String name) throws IOException {
    TcpListener listener =
        app.io().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    app.spawn(
        "mirror " + name,
        () -> {
          while (true) {
            try (TcpSocket socket = listener.accept()) {
              socket.write(name + "\n");
            }
          }
        });
    return listener.localAddress();
  }
}
