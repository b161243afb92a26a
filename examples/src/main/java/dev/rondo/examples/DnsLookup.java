package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.Datagram;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.dns.DnsException;
import dev.rondo.io.dns.DnsTimeoutException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Queries a local name server over UDP. The server knows one name, denies a second, refuses a
/// third, and never answers for a fourth. The queries run at the same time.
final class DnsLookup {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final int LARGEST_DATAGRAM_BYTES = 512;
  private static final int TTL_SECONDS = 60;

  private DnsLookup() {}

  static void main() {
    Application.run(app -> {
      for (String line : lookUp(app, "known.test", "unknown.test", "secret.test", "silent.test")) {
        IO.println(line);
      }
      app.stop(); // otherwise the server would run for ever
    });
  }

  /// Looks up the addresses of names.
  ///
  /// @return the results, a line for each name
  static List<String> lookUp(Application app, String... names) throws Exception {
    UdpSocket server =
        UdpSocket.open(app.io(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    app.spawn("name server", () -> serve(server));
    var client =
        new DnsClient(app.scheduler(), List.of(server.localAddress()))
            .timeout(PATIENCE) // for each answer
            .attempts(2);
    var group = app.<String>newGroup("questions");
    group.run(() -> {
      for (String name : names) {
        group.spawn("ask for " + name, () -> name + ": " + addresses(client, name));
      }
    });
    return group.results();
  }

  private static String addresses(DnsClient client, String name) throws IOException {
    try {
      return client.query(name, Type.A).stream().map(Record::rdataToString).toList().toString();
    } catch (UnknownHostException e) {
      return "there is no such name";
    } catch (DnsException e) {
      return "the server says " + Rcode.string(e.rcode());
    } catch (DnsTimeoutException e) {
      return "no answer, asked twice";
    }
  }

  private static void serve(UdpSocket server) throws IOException {
    try (server) {
      var in = ByteBuffer.allocate(LARGEST_DATAGRAM_BYTES);
      while (true) {
        Datagram datagram = server.receive(in.clear());
        var query = new Message(in.flip());
        Record question = query.getQuestion();
        if (!question.getName().toString().startsWith("silent.")) {
          server.send(ByteBuffer.wrap(answer(query, question)), datagram.sender());
        }
      }
    }
  }

  private static byte[] answer(Message query, Record question) throws IOException {
    var answer = new Message(query.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.addRecord(question, Section.QUESTION);
    if (question.getName().toString().startsWith("known.")) {
      var address = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}); // RFC 5737
      answer.addRecord(
          new ARecord(question.getName(), DClass.IN, TTL_SECONDS, address), Section.ANSWER);
    } else {
      boolean secret = question.getName().toString().startsWith("secret.");
      answer.getHeader().setRcode(secret ? Rcode.REFUSED : Rcode.NXDOMAIN);
    }
    return answer.toWire();
  }
}
