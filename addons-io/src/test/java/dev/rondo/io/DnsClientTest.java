package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.World;
import dev.rondo.io.dns.DnsClient;
import dev.rondo.io.dns.DnsException;
import dev.rondo.io.dns.DnsTimeoutException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Queries to a name server that loses, delays, truncates and forges answers.
class DnsClientTest {

  private static final String NAME = "host.test";

  /// A name server whose answers the test sends itself.
  private static final class Server implements AutoCloseable {

    private final World world;
    private final DatagramChannel channel;
    private SocketAddress asker;

    Server(World world) throws IOException {
      this(world, 0);
    }

    Server(World world, int port) throws IOException {
      this.world = world;
      this.channel =
          DatagramChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.configureBlocking(false);
    }

    InetSocketAddress address() throws IOException {
      return (InetSocketAddress) channel.getLocalAddress();
    }

    Message question() throws IOException {
      world.scheduler().await(world.io().readable(channel));
      var buffer = ByteBuffer.allocate(1000);
      asker = channel.receive(buffer);
      var wire = new byte[buffer.flip().remaining()];
      buffer.get(wire);
      return new Message(wire);
    }

    void send(byte[] wire) throws IOException {
      channel.send(ByteBuffer.wrap(wire), asker);
    }

    void send(Message answer) throws IOException {
      send(answer.toWire());
    }

    @Override
    public void close() throws IOException {
      world.io().close(channel);
    }
  }

  private static Message answerTo(Message question, Record... answers) {
    var answer = new Message(question.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.addRecord(question.getQuestion(), Section.QUESTION);
    for (Record each : answers) {
      answer.addRecord(each, Section.ANSWER);
    }
    return answer;
  }

  private static Name name(String text) throws IOException {
    return Name.fromString(text, Name.root);
  }

  private static Record a(String name, String address) throws IOException {
    return new ARecord(name(name), DClass.IN, 60, InetAddress.ofLiteral(address));
  }

  @FunctionalInterface
  private interface Scenario {
    void run(World world, Server server, DnsClient client) throws Exception;
  }

  private static void with(IoRig rig, Scenario scenario) throws Exception {
    rig.run(world -> {
      try (var server = new Server(world)) {
        scenario.run(world, server, new DnsClient(world.scheduler(), List.of(server.address())));
      }
    });
  }

  /// A scenario with a server that listens on one port over UDP and over TCP.
  @FunctionalInterface
  private interface TcpScenario {
    void run(World world, Server server, TcpListener tcp, DnsClient client) throws Exception;
  }

  private static void withTcp(IoRig rig, TcpScenario scenario) throws Exception {
    rig.run(world -> {
      for (int attempt = 0; ; attempt++) {
        try (var tcp = world.listen();
            var server = new Server(world, tcp.port())) {
          var client = new DnsClient(world.scheduler(), List.of(server.address()));
          scenario.run(world, server, tcp, client);
          return;
        } catch (BindException taken) {
          assertTrue(attempt < 20, "no port that is free for both");
        }
      }
    });
  }

  private static Task<List<Record>> ask(World world, DnsClient client) {
    return world.scheduler().spawn(() -> client.query(NAME, Type.A));
  }

  @OnEveryBackend
  void query_answered_givesTheRecords(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          Message question = server.question();
          assertEquals(name(NAME), question.getQuestion().getName());
          server.send(answerTo(question, a(NAME, "10.0.0.1"), a(NAME, "10.0.0.2")));
          assertEquals(List.of(a(NAME, "10.0.0.1"), a(NAME, "10.0.0.2")), asked.join());
        });
  }

  @OnEveryBackend
  void query_alias_isFollowedAndStrangersAreDropped(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          server.send(
              answerTo(
                  server.question(),
                  new CNAMERecord(name(NAME), DClass.IN, 60, name("real.test")),
                  a("real.test", "10.0.0.3"),
                  a("bank.test", "6.6.6.6")));
          assertEquals(List.of(a("real.test", "10.0.0.3")), asked.join());

          var cycle = ask(world, client);
          server.send(
              answerTo(server.question(), new CNAMERecord(name(NAME), DClass.IN, 60, name(NAME))));
          assertEquals(List.of(), cycle.join());
        });
  }

  @OnEveryBackend
  void query_lost_isSentAgain(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          Message first = server.question(); // which is lost
          world.timer().fire();
          Message second = server.question();
          assertTrue(first.getHeader().getID() >= 0);
          server.send(answerTo(second, a(NAME, "10.0.0.1")));
          assertEquals(1, asked.join().size());
        });
  }

  @OnEveryBackend
  void query_neverAnswered_saysWhoWasAsked(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          Task<Throwable> asked =
              world.failing(() -> client.attempts(2).timeout(Duration.ofSeconds(3)).query(NAME, 1));
          server.question();
          world.timer().fire();
          server.question();
          world.timer().fire();
          var e = assertInstanceOf(DnsTimeoutException.class, asked.join());
          assertEquals(
              "query of host.test. A at " + server.address() + ": no answer within 3 s",
              e.getMessage());
          assertInstanceOf(DnsTimeoutException.class, e.getSuppressed()[0]);
        });
  }

  /// As `WaitForTime.timeout(..)` limits it.
  @OnEveryBackend
  void query_taskHasALimitOfItsOwn_failsAtThatLimit(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          Task<Throwable> asked = world.failing(() -> client.query(NAME, Type.A));
          server.question();
          var limit = new TimedOutException(Duration.ofSeconds(1), "the task");
          assertTrue(TaskControl.of(world.scheduler().host()).failWait(asked, () -> limit));
          world.settle();
          assertTrue(asked.isDone(), "the query is sent again");
          assertSame(limit, asked.join());
        });
  }

  @OnEveryBackend
  void query_delayedAnswer_goesToADeadPort(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          Message first = server.question();
          SocketAddress firstAsker = server.asker;
          world.timer().fire();
          Message second = server.question();
          assertTrue(!firstAsker.equals(server.asker), "a port of its own for each");
          server.send(answerTo(first, a(NAME, "10.9.9.9"))); // the first answer, late
          server.send(answerTo(second, a(NAME, "10.0.0.1")));
          if (first.getHeader().getID() != second.getHeader().getID()) {
            assertEquals(List.of(a(NAME, "10.0.0.1")), asked.join());
          } else {
            asked.join();
          }
        });
  }

  @OnEveryBackend
  void query_forgedAnswers_areIgnored(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          Message question = server.question();
          Record evil = a(NAME, "6.6.6.6");

          Message wrongId = answerTo(question, evil);
          wrongId.getHeader().setID(question.getHeader().getID() ^ 1);
          server.send(wrongId);

          Message wrongQuestion = new Message(question.getHeader().getID());
          wrongQuestion.getHeader().setFlag(Flags.QR);
          wrongQuestion.addRecord(
              Record.newRecord(name("other.test"), Type.A, DClass.IN), Section.QUESTION);
          wrongQuestion.addRecord(evil, Section.ANSWER);
          server.send(wrongQuestion);

          Message noQuestion = new Message(question.getHeader().getID());
          noQuestion.getHeader().setFlag(Flags.QR);
          noQuestion.addRecord(evil, Section.ANSWER);
          server.send(noQuestion);

          Message status = answerTo(question, evil);
          status.getHeader().setOpcode(Opcode.STATUS);
          server.send(status);

          server.send(question); // an echo is no answer
          server.send(new byte[] {1, 2, 3});
          server.send(new byte[0]);
          try (var stranger = DatagramChannel.open()) {
            stranger.send(ByteBuffer.wrap(answerTo(question, evil).toWire()), server.asker);
          }
          world.settle();
          server.send(answerTo(question, a(NAME, "10.0.0.1")));
          assertEquals(List.of(a(NAME, "10.0.0.1")), asked.join());
        });
  }

  @OnEveryBackend
  void query_mutatedAnswers_neverBreakTheClient(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          Message question = server.question();
          Message answer = answerTo(question, a(NAME, "10.0.0.1"));
          byte[] wire = answer.toWire();
          var random = new Random(8);
          for (int i = 0;
              i < 80;
              i++) { // fewer than the socket keeps, so that the last one arrives
            byte[] bad = wire.clone();
            bad[random.nextInt(2)] ^=
                (byte) (1 + random.nextInt(255)); // another id: not the answer
            for (int n = random.nextInt(6); n > 0; n--) {
              bad[2 + random.nextInt(bad.length - 2)] = (byte) random.nextInt();
            }
            server.send(java.util.Arrays.copyOf(bad, 1 + random.nextInt(bad.length)));
            world.scheduler().yield();
          }
          server.send(wire);
          assertEquals(List.of(a(NAME, "10.0.0.1")), asked.join());
        });
  }

  @OnEveryBackend
  void query_truncated_isAskedOverTcp(IoRig rig) throws Exception {
    withTcp(
        rig,
        (world, server, tcp, client) -> {
          var many = new ArrayList<Record>();
          for (int i = 0; i < 3000; i++) {
            many.add(a(NAME, "10.0." + i / 250 + "." + i % 250));
          }
          var asked = ask(world, client);
          Message truncated = answerTo(server.question(), a(NAME, "10.9.9.9"));
          truncated.getHeader().setFlag(Flags.TC);
          server.send(truncated);
          try (var connection = tcp.accept()) {
            Message question = readMessage(connection);
            byte[] wire = answerTo(question, many.toArray(Record[]::new)).toWire();
            var out = ByteBuffer.allocate(2 + wire.length).putShort((short) wire.length).put(wire);
            for (out.flip(); out.hasRemaining(); ) { // in pieces
              int n = Math.min(1000, out.remaining());
              connection.write(out.slice(out.position(), n));
              out.position(out.position() + n);
              world.scheduler().yield();
            }
            assertEquals(many, asked.join());
          }
        });
  }

  private static Message readMessage(TcpSocket connection) throws IOException {
    var length = ByteBuffer.allocate(2);
    connection.readFully(length);
    var wire = ByteBuffer.allocate(length.getShort(0));
    connection.readFully(wire);
    return new Message(wire.array());
  }

  @OnEveryBackend
  void query_overTcpBroken_failsTyped(IoRig rig) throws Exception {
    withTcp(
        rig,
        (world, server, tcp, client) -> {
          Task<Throwable> asked = world.failing(() -> client.attempts(1).query(NAME, Type.A));
          Message truncated = answerTo(server.question());
          truncated.getHeader().setFlag(Flags.TC);
          server.send(truncated);
          try (var connection = tcp.accept()) {
            readMessage(connection);
            connection.write(ByteBuffer.wrap(new byte[] {0, 4, 1, 2, 3, 4}));
            assertInstanceOf(DnsException.class, asked.join());
          }
          Task<Throwable> cut = world.failing(() -> client.attempts(1).query(NAME, Type.A));
          truncated = answerTo(server.question());
          truncated.getHeader().setFlag(Flags.TC);
          server.send(truncated);
          try (var connection = tcp.accept()) {
            readMessage(connection);
            connection.write(ByteBuffer.wrap(new byte[] {0, 100, 1, 2}));
            connection.shutdownOutput();
            assertInstanceOf(EndOfStreamException.class, cut.join());
          }
        });
  }

  @OnEveryBackend
  void query_errors_areTyped(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          DnsClient once = client.attempts(1);
          Task<Throwable> unknown = world.failing(() -> client.query(NAME, Type.A));
          Message answer = answerTo(server.question());
          answer.getHeader().setRcode(Rcode.NXDOMAIN);
          server.send(answer);
          var e = assertInstanceOf(UnknownHostException.class, unknown.join());
          assertTrue(e.getMessage().contains(NAME), e::getMessage);

          Task<Throwable> refused = world.failing(() -> once.query(NAME, Type.A));
          answer = answerTo(server.question());
          answer.getHeader().setRcode(Rcode.REFUSED);
          server.send(answer);
          var refusal = assertInstanceOf(DnsException.class, refused.join());
          assertEquals(Rcode.REFUSED, refusal.rcode());
          assertTrue(refusal.getMessage().endsWith("REFUSED"), refusal::getMessage);

          Task<List<Record>> none = world.scheduler().spawn(() -> once.query(NAME, Type.MX));
          server.send(answerTo(server.question()));
          assertEquals(List.of(), none.join());
        });
  }

  @OnEveryBackend
  void query_firstServerFails_secondIsAsked(IoRig rig) throws Exception {
    rig.run(world -> {
      InetSocketAddress dead;
      try (var gone = new Server(world)) {
        dead = gone.address();
      }
      try (var server = new Server(world)) {
        var client = new DnsClient(world.scheduler(), List.of(dead, server.address()));
        var asked = ask(world, client);
        server.send(answerTo(server.question(), a(NAME, "10.0.0.1")));
        assertEquals(1, asked.join().size());
      }
      var unreachable = new DnsClient(world.scheduler(), List.of(dead)).attempts(1);
      assertThrows(PortUnreachableException.class, () -> unreachable.query(NAME, Type.A));
    });
  }

  @OnEveryBackend
  void query_cancelled_leavesNothing(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var asked = ask(world, client);
          server.question();
          asked.cancel("enough");
          assertThrows(CancellationException.class, asked::join);
        });
  }

  @OnEveryBackend
  void misuse_isRefused(IoRig rig) throws Exception {
    with(
        rig,
        (world, server, client) -> {
          var scheduler = world.scheduler();
          assertThrows(IllegalArgumentException.class, () -> new DnsClient(scheduler, List.of()));
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  new DnsClient(
                      scheduler, List.of(InetSocketAddress.createUnresolved("dns.test", 53))));
          assertThrows(IllegalArgumentException.class, () -> client.timeout(Duration.ZERO));
          assertThrows(IllegalArgumentException.class, () -> client.attempts(0));
          var e = assertThrows(IllegalArgumentException.class, () -> client.query("a..b", Type.A));
          assertTrue(e.getMessage().contains("a..b"), e::getMessage);
          assertThrows(IllegalArgumentException.class, () -> client.query(NAME, -1));
        });
  }
}
