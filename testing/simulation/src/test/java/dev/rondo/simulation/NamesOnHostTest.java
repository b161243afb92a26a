package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.Datagram;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.dns.DnsTimeoutException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// What `addons-io` does with names, unchanged on hosts of a world.
@EveryBackend
final class NamesOnHostTest extends BackendTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String NAME = "shop.test";
  private static final int LARGEST_QUERY = 512;

  private World world() {
    return World.withSeed(42).applications(it -> it.backend(backend));
  }

  /// Answers each question with one address.
  private static void nameServer(WorldHost host) throws IOException {
    WaitForIO io = host.application().io();
    var own = new InetSocketAddress(host.address(), DnsClient.PORT);
    try (UdpSocket socket = UdpSocket.open(io, own)) {
      while (true) {
        ByteBuffer query = ByteBuffer.allocate(LARGEST_QUERY);
        Datagram received = socket.receive(query);
        byte[] wire = new byte[query.flip().remaining()];
        query.get(wire);
        var question = new Message(wire);
        var answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        Record asked = question.getQuestion();
        answer.addRecord(asked, Section.QUESTION);
        var address = InetAddress.ofLiteral("192.0.2.7");
        answer.addRecord(new ARecord(asked.getName(), DClass.IN, 60, address), Section.ANSWER);
        socket.send(ByteBuffer.wrap(answer.toWire()), received.sender());
      }
    }
  }

  private static DnsClient dns(WorldHost host, WorldHost server) {
    var address = new InetSocketAddress(server.address(), DnsClient.PORT);
    return new DnsClient(host.scheduler(), List.of(address)).timeout(SECOND).attempts(3);
  }

  @Test
  void dnsClient_isAnsweredByAHost_alsoOverALinkThatLosesQueries() {
    var seen = new ArrayList<String>();
    try (World world = world()) {
      WorldHost server = world.host("dns", NamesOnHostTest::nameServer);
      WorldHost client =
          world.host(
              "client",
              host -> {
                host.application().sleep(SECOND);
                Record found = dns(host, server).query(NAME, Type.A).getFirst();
                seen.add(found.rdataToString() + " at " + world.elapsed());
              });
      world.network().oneWay(client.simulated(), server.simulated()).cut();
      world.runFor(Duration.ofMillis(1_500));
      world.network().links().heal();
      world.runFor(HOUR);
    }
    assertEquals(List.of("192.0.2.7 at PT2.0002S"), seen);
  }

  @Test
  void dnsClient_serverIsOff_timesOut() {
    var seen = new ArrayList<Duration>();
    try (World world = world()) {
      WorldHost client =
          world.host(
              "client",
              host -> {
                var off = new InetSocketAddress(InetAddress.ofLiteral("10.1.1.1"), DnsClient.PORT);
                DnsClient dns =
                    new DnsClient(host.scheduler(), List.of(off)).timeout(SECOND).attempts(3);
                assertThrows(DnsTimeoutException.class, () -> dns.query(NAME, Type.A));
                seen.add(world.elapsed());
              });
      world.network().host("dns", "10.1.1.1").powerOff();
      world.runFor(HOUR);
      assertEquals("client", client.name());
    }
    assertEquals(List.of(SECOND.multipliedBy(3)), seen);
  }

  @Test
  void happyEyeballs_firstAddressIsSilent_nextOneIsTriedAfterAQuarterOfASecond() {
    var seen = new ArrayList<String>();
    try (World world = world()) {
      world.network().host("web", "10.1.1.1").powerOff();
      WorldHost server =
          world.host(
              "web",
              host -> {
                var own = new InetSocketAddress(host.address(), 80);
                try (TcpListener listener = host.application().io().listen(own);
                    TcpSocket _ = listener.accept()) {
                  host.application().sleep(SECOND);
                }
              });
      world.host(
          "client",
          host -> {
            try (TcpSocket socket = WaitForIO.on(host.scheduler()).connect("web", 80)) {
              seen.add(socket.remoteAddress().getAddress() + " at " + world.elapsed());
            }
          });
      world.runFor(HOUR);
      assertEquals(List.of(server.address() + " at PT0.2502S"), seen);
    }
  }

  @Test
  void limit_onAConnectionThatNothingAnswers_endsItInVirtualTime() {
    var seen = new ArrayList<Duration>();
    try (World world = world()) {
      world.network().host("off", "10.1.1.1").powerOff();
      world.host(
          "client",
          host -> {
            assertThrows(
                TimedOutException.class,
                () ->
                    host.application()
                        .within(
                            SECOND.multipliedBy(7),
                            () -> host.application().io().connect("off", 80)));
            seen.add(world.elapsed());
          });
      world.runFor(HOUR);
    }
    assertEquals(List.of(SECOND.multipliedBy(7)), seen);
  }
}
