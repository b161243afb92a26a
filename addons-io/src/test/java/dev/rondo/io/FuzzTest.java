package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Bytes from outside, corrupted at random places: they may cause an `IOException`, but no other
/// exception, no hang and no leak. The seed is in the test's name.
@Nightly("random bytes")
class FuzzTest {

  private static final int ROUNDS = 60;

  /// Records of a TLS stream, valid or partly garbage, in any state of the handshake.
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void tlsServer_brokenStream_failsTyped(long seed) throws Exception {
    var random = new Random(seed);
    IoRig.CONTINUATION.run(world -> {
      var server = new TlsServer(world.scheduler(), Certificates.context("one.test"));
      var client = new TlsClient(world.scheduler(), Certificates.context(null, "one.test"));
      for (int round = 0; round < ROUNDS; round++) {
        try (var front = world.pair();
            var back = world.pair();
            var there = server.over(back.server());
            var here = client.over(front.client(), "one.test")) {
          Task<Throwable> serving =
              world.failing(() -> {
                try (there) {
                  there.handshake();
                  return there.read(ByteBuffer.allocate(100));
                }
              });
          Task<Throwable> asking =
              world.failing(() -> {
                try (here) {
                  here.write("hello");
                  return here.read(ByteBuffer.allocate(100));
                }
              });
          world.spawn(
              "there", () -> relay(front.server(), back.client(), new Random(random.nextLong())));
          world.spawn(
              "back", () -> relay(back.client(), front.server(), new Random(random.nextLong())));
          for (Throwable each : List.of(serving.join(), asking.join())) {
            assertTrue(
                each instanceof IOException || each instanceof AssertionError, each::toString);
            assertTrue(
                !(each instanceof AssertionError) || each.getMessage().startsWith("did not fail"),
                each::toString);
          }
        }
      }
    });
  }

  /// Forwards bytes, and corrupts some. Then it ends, because both sides may correctly wait forever
  /// for the rest of a record with a wrong length.
  private static void relay(TcpSocket from, TcpSocket to, Random random) {
    var buffer = ByteBuffer.allocate(5000);
    try {
      int left = 1 + random.nextInt(6);
      while (left > 0 && from.read(buffer.clear()) > 0) {
        buffer.flip();
        int broken = random.nextInt(3);
        for (int i = 0; i < broken; i++) {
          buffer.put(random.nextInt(buffer.limit()), (byte) random.nextInt());
        }
        to.write(buffer);
        left = broken > 0 ? 0 : left - 1;
      }
      to.shutdownOutput();
      from.shutdownInput();
    } catch (IOException e) {
      // the other side has closed the connection
    }
  }

  /// Answers with the right id, so that they reach the parser and the code that reads its records.
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void dnsClient_brokenAnswers_failTyped(long seed) throws Exception {
    var random = new Random(seed);
    IoRig.CONTINUATION.run(world -> {
      DatagramChannel server =
          DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server.configureBlocking(false);
      var client =
          new DnsClient(world.scheduler(), List.of((InetSocketAddress) server.getLocalAddress()))
              .attempts(1);
      for (int round = 0; round < ROUNDS * 5; round++) {
        Task<Throwable> asked = world.failing(() -> client.query("host.test", Type.A));
        world.scheduler().await(world.io().readable(server));
        var in = ByteBuffer.allocate(1000);
        var asker = server.receive(in);
        var wire = Arrays.copyOf(in.array(), in.position());
        var question = new Message(wire);
        var answer = new Message(question.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.addRecord(question.getQuestion(), Section.QUESTION);
        Name name = question.getQuestion().getName();
        answer.addRecord(
            new CNAMERecord(name, DClass.IN, 1, Name.fromString("b.test.")), Section.ANSWER);
        answer.addRecord(
            new ARecord(
                Name.fromString("b.test."), DClass.IN, 1, InetAddress.ofLiteral("10.0.0.1")),
            Section.ANSWER);
        byte[] bytes = answer.toWire();
        int body = 12 + name.length() + 4;
        for (int n = random.nextInt(5); n > 0; n--) {
          bytes[body + random.nextInt(bytes.length - body)] = (byte) random.nextInt();
        }
        bytes[3] = (byte) random.nextInt(16); // any result code
        server.send(ByteBuffer.wrap(bytes), asker);
        world.settle();
        if (!asked.isDone()) {
          server.send(ByteBuffer.wrap(answer.toWire()), asker); // not a message, so it is ignored
        }
        Throwable ended = asked.join();
        assertTrue(
            ended instanceof IOException
                || (ended instanceof AssertionError
                    && ended.getMessage().startsWith("did not fail")),
            ended::toString);
      }
      world.io().close(server);
    });
  }
}
