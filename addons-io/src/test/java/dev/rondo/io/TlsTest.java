package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig.Pair;
import dev.rondo.io.IoRig.World;
import dev.rondo.io.internal.lent.ChannelFigures;
import dev.rondo.io.tls.ClientCertificates;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.io.tls.TlsTruncatedException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.Certificates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.zip.CRC32;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/// TLS between two of these sockets, and with the JDK's.
class TlsTest {

  private static final String ONE = "one.test";
  private static final String TWO = "two.test";

  /// Two ends of one TLS connection.
  private record Secured(TlsSocket client, TlsSocket server, Pair beneath)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private static Secured pair(World world) throws Exception {
    return pair(
        world,
        new TlsClient(world.scheduler(), Certificates.context(null, ONE)),
        new TlsServer(world.scheduler(), Certificates.context(ONE)));
  }

  private static Secured pair(World world, TlsClient client, TlsServer server) throws Exception {
    Pair beneath = world.pair();
    return new Secured(client.over(beneath.client(), ONE), server.over(beneath.server()), beneath);
  }

  /// Both negotiate.
  private static Secured agreed(World world) throws Exception {
    Secured pair = pair(world);
    Task<Void> server = world.spawn("server", pair.server()::handshake);
    pair.client().handshake();
    server.join();
    return pair;
  }

  private static String readString(TlsSocket socket, int bytes) throws IOException {
    var buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining() && socket.read(buffer) >= 0) {}
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
  }

  @OnEveryBackend
  void echo_bothSidesOurs_comesBack(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = pair(world)) {
        Task<Void> server =
            world.spawn(
                "server",
                () -> {
                  pair.server().write(readString(pair.server(), 5));
                  assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
                  assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
                });
        pair.client().write("hello");
        assertEquals("hello", readString(pair.client(), 5));
        assertEquals("TLSv1.3", pair.client().session().getProtocol());
        assertEquals(0, pair.client().read(ByteBuffer.allocate(0)));
        pair.client().close();
        server.join();
      }
    });
  }

  /// Both directions at once, each side with one reader and one writer, and more bytes than the
  /// system buffers.
  @OnEveryBackend
  void fullDuplex_largeTransfers_areByteExact(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = pair(world)) {
        var sums = new ArrayList<Task<Long>>();
        for (TlsSocket socket : new TlsSocket[] {pair.client(), pair.server()}) {
          sums.add(world.scheduler().spawn("writer", () -> send(socket, 1_000_000)));
          sums.add(world.scheduler().spawn("reader", () -> receive(socket, 1_000_000)));
        }
        assertEquals(sums.get(0).join(), sums.get(3).join());
        assertEquals(sums.get(2).join(), sums.get(1).join());
      }
    });
  }

  private static long send(TlsSocket socket, int size) throws IOException {
    var random = new Random(size);
    var bytes = new byte[size];
    random.nextBytes(bytes);
    for (int from = 0; from < size; ) {
      int n = Math.min(size - from, 1 + random.nextInt(100_000));
      socket.write(ByteBuffer.wrap(bytes, from, n));
      from += n;
    }
    var sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }

  private static long receive(TlsSocket socket, int size) throws IOException {
    var random = new Random(7);
    var sum = new CRC32();
    var bytes = new byte[50_000];
    for (int left = size; left > 0; ) {
      int n = socket.read(ByteBuffer.wrap(bytes, 0, Math.min(left, 1 + random.nextInt(50_000))));
      assertTrue(n > 0);
      sum.update(bytes, 0, n);
      left -= n;
    }
    return sum.getValue();
  }

  @OnEveryBackend
  void streams_linesThroughBufferedReader(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = pair(world)) {
        Task<String> server =
            world
                .scheduler()
                .spawn(() ->
                    new BufferedReader(
                            new InputStreamReader(pair.server().input(), StandardCharsets.UTF_8))
                        .readLine());
        pair.client().output().write("a li".getBytes(StandardCharsets.UTF_8));
        world.settle();
        pair.client().output().write("ne\n".getBytes(StandardCharsets.UTF_8));
        assertEquals("a line", server.join());
      }
    });
  }

  @OnEveryBackend
  void bufferedOutput_empty_keepsNoBuffer(IoRig rig) throws Exception {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    rig.run(world -> {
      try (var pair = agreed(world)) {
        var streams = new ArrayList<OutputStream>();
        long before = direct.getCount();
        for (int i = 0; i < 500; i++) {
          OutputStream stream = pair.client().bufferedOutput(1024);
          stream.write('x');
          stream.flush();
          streams.add(stream);
        }
        long kept = direct.getCount() - before;
        assertTrue(kept < streams.size() / 2, () -> kept + " buffers are kept");
        assertEquals("x".repeat(500), readString(pair.server(), 500));
      }
    });
  }

  // Endings.

  @OnEveryBackend
  void read_cutOffWithoutCloseNotify_isToldAsTruncation(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Void> server =
            world.spawn(
                "server",
                () -> {
                  pair.server().write("part");
                  pair.beneath().server().close(); // no close_notify
                });
        server.join();
        assertEquals("part", readString(pair.client(), 4));
        for (int i = 0; i < 2; i++) {
          var e =
              assertThrows(
                  TlsTruncatedException.class, () -> pair.client().read(ByteBuffer.allocate(10)));
          assertTrue(e.getMessage().contains("close_notify"), e::getMessage);
        }
      }
    });
  }

  @OnEveryBackend
  void read_garbage_failsAndTellsThePeer(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        pair.beneath().server().write(ByteBuffer.wrap(new byte[] {23, 3, 3, 0, 5, 1, 2, 3, 4, 5}));
        assertThrows(SSLException.class, () -> pair.client().read(ByteBuffer.allocate(10)));
        assertThrows(SSLException.class, () -> pair.server().read(ByteBuffer.allocate(10)));
      }
    });
  }

  @OnEveryBackend
  void handshake_peerLeaves_isAnEnd(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = pair(world)) {
        pair.beneath().server().close();
        var e = assertThrows(IOException.class, () -> pair.client().handshake());
        assertTrue(
            e instanceof java.io.EOFException || e instanceof ConnectionResetException,
            e::toString);
      }
    });
  }

  @OnEveryBackend
  void close_underAReader_wakesIt(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Throwable> reader = world.failing(() -> pair.client().read(ByteBuffer.allocate(10)));
        world.settle();
        pair.client().close();
        assertInstanceOf(ChannelClosedException.class, reader.join());
        assertThrows(
            ChannelClosedException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
        assertThrows(ChannelClosedException.class, () -> pair.client().write("x"));
        assertThrows(ChannelClosedException.class, () -> pair.client().handshake());
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        assertFalse(pair.client().isOpen());
      }
    });
  }

  /// Without the limit, a peer that does not read would keep the socket open for ever.
  @OnEveryBackend
  void close_peerDoesNotRead_endsAtTheLimitAndLeavesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Throwable> writer =
            world.failing(() -> pair.client().write(ByteBuffer.allocate(9_000_000)));
        world.settle();
        writer.cancel("enough"); // in the middle of a record, the rest of which close sends
        world.fill(pair.beneath());
        Task<Void> closer = world.spawn("closer", pair.client()::close);
        world.settle();
        world.timer().fire();
        closer.join();
        assertFalse(pair.beneath().client().isOpen());
        assertEquals(0, world.timer().armed());
      }
    });
  }

  @OnEveryBackend
  void close_peerDoesNotReadAndTheSocketHasAWriteTimeout_closesAllTheSame(IoRig rig)
      throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        world.fill(pair.beneath());
        pair.beneath().client().writeTimeout(Duration.ofSeconds(1));
        Task<Throwable> writer =
            world.failing(() -> pair.client().write(ByteBuffer.allocate(9_000_000)));
        world.settle();
        world.timer().fire();
        assertInstanceOf(TimedOutException.class, writer.join());
        Task<Void> closer = world.spawn("closer", pair.client()::close);
        world.settle();
        world.timer().fire();
        closer.join();
        assertFalse(pair.beneath().client().isOpen());
      }
    });
  }

  /// SNI takes only names of the DNS, in letters, digits and hyphens (RFC 6066). A server of TLS
  /// 1.3 sends tickets, which a client that only writes never reads. A system that closes a socket
  /// with unread bytes resets the connection, and drops what it has not sent.
  @OnEveryBackend
  void close_byASideThatOnlyWrites_losesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        var sent = new byte[500_000];
        new Random(3).nextBytes(sent);
        Task<Void> writer =
            world.spawn(
                "writer",
                () -> {
                  pair.client().write(ByteBuffer.wrap(sent));
                  pair.client().close();
                });
        world.settle(); // more than the system holds for a side that does not read
        assertArrayEquals(sent, pair.server().input().readAllBytes());
        writer.join();
      }
    });
  }

  /// Because of unread bytes, or of bytes that arrive later, the system would reset the connection.
  @OnEveryBackend
  void close_peerGoesOnSending_lastBytesArrive(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Integer> sender =
            world.scheduler().spawn(() -> pair.client().write(ByteBuffer.allocate(9_000_000)));
        world.settle();
        pair.server().write("last");
        pair.server().close();
        assertEquals(9_000_000, sender.join());
        assertEquals("last", readString(pair.client(), 4));
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
      }
    });
  }

  @OnEveryBackend
  void close_afterABrokenRecord_alertArrives(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        TcpSocket client = pair.beneath().client();
        Task<Integer> sender =
            world.scheduler().spawn(() -> client.write(ByteBuffer.allocate(9_000_000)));
        assertThrows(SSLException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
        pair.server().close();
        assertEquals(9_000_000, sender.join());
        assertTrue(client.input().readAllBytes().length > 0, "the alert arrives");
      }
    });
  }

  @OnEveryBackend
  void close_peerNeverEnds_endsAfterASecond(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        pair.server().close();
        world.settle();
        assertTrue(pair.beneath().server().isOpen());
        world.timer().fire();
        world.settle();
        assertFalse(pair.beneath().server().isOpen());
      }
    });
  }

  @OnEveryBackend
  void connect_hostIsNoServerName_leavesNothingOpen(IoRig rig) throws Exception {
    rig.run(world -> {
      SSLContext certificates = Certificates.context(null, ONE);
      SSLContext own = Certificates.context(ONE);
      WaitForName.on(world.scheduler()).resolver(loopback());
      for (String host : new String[] {"under_score.test", "-x.test", "a..b", "x".repeat(70)}) {
        try (var listener = world.listen()) {
          Task<Throwable> server =
              world.failing(() -> {
                try (var socket =
                    new TlsServer(
                            world.scheduler(),
                            name -> {
                              assertEquals(Optional.empty(), name);
                              return Optional.of(own);
                            })
                        .over(listener.accept())) {
                  return socket.read(ByteBuffer.allocate(1));
                }
              });
          int port = listener.localAddress().getPort();
          int before = ChannelFigures.of(world.scheduler()).open();
          var e =
              assertThrows(
                  SSLException.class,
                  () -> new TlsClient(world.scheduler(), certificates).connect(host, port));
          assertTrue(e.getMessage().startsWith("handshake on TLS socket "), e.getMessage());
          assertTrue(e.getMessage().contains("to host '" + host + "': "), e.getMessage());
          var failure = assertInstanceOf(SSLException.class, server.join());
          assertTrue(failure.getMessage().startsWith("read on TLS socket "), failure.getMessage());
          assertEquals(before, ChannelFigures.of(world.scheduler()).open(), host);
        }
      }
    });
  }

  /// The dot says that the name is complete; it is part of neither the certificate nor the SNI.
  @OnEveryBackend
  void connect_hostEndsInADot_isTheNameWithout(IoRig rig) throws Exception {
    rig.run(world -> {
      SSLContext own = Certificates.context(ONE);
      WaitForName.on(world.scheduler()).resolver(loopback());
      var names = new ArrayList<Optional<String>>();
      try (var listener = world.listen()) {
        Task<Void> server =
            world.spawn(
                "server",
                () -> {
                  try (var socket =
                      new TlsServer(
                              world.scheduler(),
                              name -> {
                                names.add(name);
                                return Optional.of(own);
                              })
                          .over(listener.accept())) {
                    socket.handshake();
                    assertEquals(-1, socket.read(ByteBuffer.allocate(1)));
                  }
                });
        new TlsClient(world.scheduler(), Certificates.context(null, ONE))
            .connect(ONE + ".", listener.localAddress().getPort())
            .close();
        server.join();
        assertEquals(List.of(Optional.of(ONE)), names);
      }
    });
  }

  private static NameResolver loopback() {
    return new NameResolver() {
      @Override
      public List<InetAddress> addresses(String host) {
        return List.of(InetAddress.getLoopbackAddress());
      }

      @Override
      public String name(InetAddress address) {
        return "loopback";
      }
    };
  }

  @OnEveryBackend
  void read_timedOutAndCancelled_losesNothing(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Throwable> late =
            world.failing(() ->
                world
                    .scheduler()
                    .within(
                        Duration.ofSeconds(1), () -> pair.client().read(ByteBuffer.allocate(4))));
        world.settle();
        world.timer().fire();
        assertInstanceOf(TimedOutException.class, late.join());
        Task<Integer> cancelled =
            world.scheduler().spawn(() -> pair.client().read(ByteBuffer.allocate(4)));
        world.settle();
        cancelled.cancel("enough");
        assertThrows(CancellationException.class, cancelled::join);
        pair.server().write("here");
        assertEquals("here", readString(pair.client(), 4));
      }
    });
  }

  /// A write that is interrupted in the middle of a record continues at its first unsent byte.
  @OnEveryBackend
  void write_cancelledInTheMiddle_streamStaysIntact(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        var bytes = new byte[9_000_000];
        new Random(3).nextBytes(bytes);
        var src = ByteBuffer.wrap(bytes);
        Task<Integer> writer = world.scheduler().spawn(() -> pair.client().write(src));
        world.settle();
        assertFalse(writer.isDone(), "the system took it all");
        writer.cancel("enough");
        assertThrows(CancellationException.class, writer::join);
        assertTrue(src.hasRemaining());
        Task<Integer> rest = world.scheduler().spawn(() -> pair.client().write(src));
        var got = ByteBuffer.allocate(bytes.length);
        while (got.hasRemaining()) {
          assertTrue(pair.server().read(got) > 0);
        }
        rest.join();
        assertArrayEquals(bytes, got.array());
      }
    });
  }

  @OnEveryBackend
  void twoReaders_secondIsRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = agreed(world)) {
        Task<Integer> first =
            world.scheduler().spawn("first", () -> pair.client().read(ByteBuffer.allocate(4)));
        world.settle();
        var e =
            assertThrows(
                IllegalStateException.class, () -> pair.client().read(ByteBuffer.allocate(4)));
        assertTrue(e.getMessage().contains("'first' is reading"), e::getMessage);
        pair.server().write("four");
        assertEquals(4, first.join());
      }
    });
  }

  // Certificates.

  @OnEveryBackend
  void serverName_choosesTheCertificate_unknownIsRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      var scheduler = world.scheduler();
      var one = Certificates.context(ONE);
      var two = Certificates.context(TWO);
      var asked = new ArrayList<Optional<String>>();
      var server =
          new TlsServer(
              scheduler,
              name -> {
                asked.add(name);
                return name.map(n -> n.equals(ONE) ? one : n.equals(TWO) ? two : null);
              });
      var client = new TlsClient(scheduler, Certificates.context(null, ONE, TWO));
      for (String name : new String[] {ONE, TWO}) {
        try (var beneath = world.pair();
            var there = server.over(beneath.server());
            var here = client.over(beneath.client(), name)) {
          Task<Void> other = world.spawn("server", there::handshake);
          assertEquals(Certificates.certificate(name), here.session().getPeerCertificates()[0]);
          other.join();
        }
      }
      try (var beneath = world.pair();
          var there = server.over(beneath.server());
          var here = client.over(beneath.client(), "three.test")) {
        Task<Throwable> other =
            world.failing(() -> {
              try (there) {
                there.handshake();
                return 0;
              }
            });
        assertThrows(IOException.class, here::handshake);
        assertInstanceOf(IOException.class, other.join());
      }
      assertEquals(
          java.util.List.of(Optional.of(ONE), Optional.of(TWO), Optional.of("three.test")), asked);
    });
  }

  @OnEveryBackend
  void client_wrongNameOrUntrusted_isRefusedAndTheServerIsTold(IoRig rig) throws Exception {
    rig.run(world -> {
      var scheduler = world.scheduler();
      var server = new TlsServer(scheduler, Certificates.context(ONE));
      for (var client :
          new TlsClient[] {
            new TlsClient(scheduler, Certificates.context(null, TWO)), // does not trust ONE
            new TlsClient(scheduler, Certificates.context(null, ONE)) // but is asked for TWO
          }) {
        try (var beneath = world.pair();
            var there = server.over(beneath.server());
            var here = client.over(beneath.client(), TWO)) {
          Task<Throwable> other = world.failing(() -> there.read(ByteBuffer.allocate(1)));
          assertThrows(SSLException.class, here::handshake);
          assertInstanceOf(SSLException.class, other.join()); // the alert
        }
      }
    });
  }

  @OnEveryBackend
  void clientCertificate_isAskedForAndChecked(IoRig rig) throws Exception {
    rig.run(world -> {
      var scheduler = world.scheduler();
      var server =
          new TlsServer(scheduler, Certificates.context(ONE, TWO))
              .clientCertificates(ClientCertificates.REQUIRED);
      try (var known =
          pair(world, new TlsClient(scheduler, Certificates.context(TWO, ONE)), server)) {
        Task<Void> other = world.spawn("client", known.client()::handshake);
        assertEquals(
            Certificates.certificate(TWO), known.server().session().getPeerCertificates()[0]);
        other.join();
      }
      try (var unknown =
          pair(world, new TlsClient(scheduler, Certificates.context(null, ONE)), server)) {
        Task<Throwable> other = world.failing(() -> unknown.client().read(ByteBuffer.allocate(1)));
        assertThrows(SSLException.class, () -> unknown.server().handshake());
        assertInstanceOf(SSLException.class, other.join());
      }
    });
  }

  @OnEveryBackend
  void alpn_firstCommonProtocol_isAgreedOn(IoRig rig) throws Exception {
    rig.run(world -> {
      var scheduler = world.scheduler();
      var client = new TlsClient(scheduler, Certificates.context(null, ONE));
      var server =
          new TlsServer(scheduler, Certificates.context(ONE))
              .applicationProtocols("h2", "http/1.1");
      try (var pair = pair(world, client.applicationProtocols("http/1.1", "h3"), server)) {
        Task<Optional<String>> other =
            world.scheduler().spawn(() -> pair.server().applicationProtocol());
        assertEquals(Optional.of("http/1.1"), pair.client().applicationProtocol());
        assertEquals(Optional.of("http/1.1"), other.join());
      }
      try (var pair = pair(world, client, server)) {
        Task<Optional<String>> other =
            world.scheduler().spawn(() -> pair.server().applicationProtocol());
        assertEquals(Optional.empty(), pair.client().applicationProtocol());
        assertEquals(Optional.empty(), other.join());
      }
      try (var pair = pair(world, client.applicationProtocols("h3"), server)) {
        Task<Throwable> other = world.failing(() -> pair.client().applicationProtocol());
        assertThrows(SSLException.class, () -> pair.server().handshake());
        assertInstanceOf(SSLException.class, other.join());
      }
    });
  }

  // The JDK's sockets.

  @OnEveryBackend
  void ourClient_jdkServer_talk(IoRig rig) throws Exception {
    try (var listening =
        (SSLServerSocket)
            Certificates.context(ONE)
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      rig.run(world -> {
        Task<String> server =
            world
                .scheduler()
                .spawn(() ->
                    world
                        .scheduler()
                        .blocking(() -> {
                          try (var socket = (SSLSocket) listening.accept()) {
                            var said =
                                new String(
                                    socket.getInputStream().readNBytes(100_000),
                                    StandardCharsets.UTF_8);
                            socket.getOutputStream().write("bye".getBytes(StandardCharsets.UTF_8));
                            socket.shutdownOutput();
                            assertEquals(-1, socket.getInputStream().read());
                            return said;
                          }
                        }));
        var client = new TlsClient(world.scheduler(), Certificates.context(null, ONE));
        try (var socket = client.connect("127.0.0.1", listening.getLocalPort())) {
          socket.write("x".repeat(100_000));
          assertEquals("bye", readString(socket, 3));
          assertEquals(-1, socket.read(ByteBuffer.allocate(1)));
        }
        assertEquals("x".repeat(100_000), server.join());
      });
    }
  }

  @OnEveryBackend
  void jdkClient_ourServer_talk(IoRig rig) throws Exception {
    rig.run(world -> {
      for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
        try (var listener = world.listen()) {
          var context = Certificates.context(null, ONE);
          Task<String> client =
              world
                  .scheduler()
                  .spawn(() ->
                      world
                          .scheduler()
                          .blocking(() -> {
                            try (var socket =
                                (SSLSocket)
                                    context
                                        .getSocketFactory()
                                        .createSocket("127.0.0.1", listener.port())) {
                              SSLParameters parameters = socket.getSSLParameters();
                              parameters.setProtocols(new String[] {protocol});
                              parameters.setEndpointIdentificationAlgorithm("HTTPS");
                              socket.setSSLParameters(parameters);
                              socket
                                  .getOutputStream()
                                  .write("x".repeat(50_000).getBytes(StandardCharsets.UTF_8));
                              return new String(
                                  socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                            }
                          }));
          var server = new TlsServer(world.scheduler(), Certificates.context(ONE));
          try (var socket = server.over(listener.accept())) {
            assertEquals("x".repeat(50_000), readString(socket, 50_000));
            assertEquals(protocol, socket.session().getProtocol());
            socket.write("y".repeat(50_000));
          }
          assertEquals("y".repeat(50_000), client.join());
        }
      }
    });
  }

  @OnEveryBackend
  void misuse_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      var scheduler = world.scheduler();
      assertThrows(NullPointerException.class, () -> new TlsClient(scheduler, null));
      assertThrows(NullPointerException.class, () -> new TlsServer(scheduler, (SSLContext) null));
      try (var pair = pair(world)) {
        assertNotNull(pair.client().toString());
        assertThrows(
            IllegalArgumentException.class,
            () -> pair.client().read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
      }
    });
  }
}
