package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.io.Datagram;
import dev.rondo.io.SocketOptions;
import dev.rondo.io.UdpSocket;
import dev.rondo.scheduler.Selection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.MembershipKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the printers of a network. A question goes to a multicast group, each printer answers, and
/// answers count for a tenth of a second. Then a connected socket asks one printer for its status.
/// The printers are tasks of this program, and the question does not leave the machine.
final class Discovery {

  private static final InetAddress GROUP = InetAddress.ofLiteral("239.255.77.7");
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress("0.0.0.0", 0);
  private static final SocketOptions SHARED =
      SocketOptions.of(StandardSocketOptions.SO_REUSEADDR, true);
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final int LARGEST_BYTES = 512;

  private final Application app;
  private final NetworkInterface network;

  Discovery(Application app, NetworkInterface network) {
    this.app = app;
    this.network = network;
  }

  static void main() {
    Application.run(app -> {
      Optional<NetworkInterface> network = multicastNetwork();
      if (network.isEmpty()) {
        IO.println("no interface of this machine can multicast");
        return;
      }
      new Discovery(app, network.get()).run(List.of("laser", "ink")).forEach(IO::println);
      app.stop(); // the printers would go on
    });
  }

  /// {@return an interface with an IPv4 address that can multicast}
  static Optional<NetworkInterface> multicastNetwork() throws IOException {
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      boolean hasIpv4 =
          each.inetAddresses().anyMatch(address -> address instanceof java.net.Inet4Address);
      if (each.isUp() && each.supportsMulticast() && hasIpv4) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /// {@return the answers of the printers, in the order of their names}
  List<String> run(List<String> printers) throws IOException {
    UdpSocket first = UdpSocket.open(app.io(), ANY_PORT, SHARED);
    int port = first.localAddress().getPort();
    for (String name : printers) {
      UdpSocket socket =
          name.equals(printers.getFirst())
              ? first
              : UdpSocket.open(app.io(), new InetSocketAddress("0.0.0.0", port), SHARED);
      MembershipKey _ = socket.join(GROUP, network); // until the socket is closed
      app.spawn("printer " + name, () -> print(name, socket));
    }
    SocketOptions options =
        SocketOptions.of(StandardSocketOptions.IP_MULTICAST_IF, network)
            .and(StandardSocketOptions.IP_MULTICAST_TTL, 0);
    try (UdpSocket socket = UdpSocket.open(app.io(), ANY_PORT, options)) {
      Map<String, InetSocketAddress> found = ask(socket, new InetSocketAddress(GROUP, port));
      return found.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .map(each -> each.getKey() + ": " + status(socket, each.getValue()))
          .toList();
    }
  }

  private Map<String, InetSocketAddress> ask(UdpSocket socket, InetSocketAddress group)
      throws IOException {
    var found = new LinkedHashMap<String, InetSocketAddress>();
    socket.send(bytes("who prints?"), group);
    var over = app.time().after(PATIENCE);
    var buffer = ByteBuffer.allocate(LARGEST_BYTES);
    while (true) {
      Selection<?> event = app.select(socket.receiving(buffer.clear()), over);
      if (!(event.value() instanceof Datagram datagram)) {
        return found;
      }
      found.put(text(buffer), datagram.sender());
    }
  }

  /// Asks one printer, and receives from no other.
  private String status(UdpSocket socket, InetSocketAddress printer) {
    try {
      socket.connect(printer).sendTimeout(PATIENCE).receiveTimeout(PATIENCE);
      socket.send(bytes("status?"));
      var buffer = ByteBuffer.allocate(LARGEST_BYTES);
      socket.receive(buffer);
      socket.disconnect();
      return text(buffer);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Answers questions to the group and to this printer, from the printer's own socket.
  private void print(String name, UdpSocket group) throws IOException {
    try (group;
        UdpSocket own = UdpSocket.open(app.io(), ANY_PORT)) {
      app.spawn("status of " + name, () -> answer(own, own, "ready"));
      answer(group, own, name);
    }
  }

  private static void answer(UdpSocket questions, UdpSocket answers, String text)
      throws IOException {
    var buffer = ByteBuffer.allocate(LARGEST_BYTES);
    while (true) {
      Datagram question = questions.receive(buffer.clear());
      answers.send(bytes(text), question.sender());
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(ByteBuffer filled) {
    return StandardCharsets.UTF_8.decode(filled.flip()).toString();
  }
}
