package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.io.OsPipe;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.Transport;
import dev.rondo.io.UdpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.Certificates;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import dev.rondo.time.WaitForTime;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `addons-io`, unchanged, over simulated sockets and under virtual time.
@EveryBackend
final class SchedulerOnHostTest extends BackendTest {

  private static final InetSocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80);

  private VirtualClock clock;
  private SimulatedNetwork network;
  private SimulatedHost host;
  private Scheduler scheduler;
  private WaitForIO io;

  @BeforeEach
  void open() {
    clock = new VirtualClock();
    network = SimulatedNetwork.on(clock);
    host = network.host("host", "10.0.0.1");
    scheduler = clock.scheduler(builder());
    io = host.install(scheduler);
  }

  @AfterEach
  void close() {
    scheduler.close();
    assertEquals(0, host.openDescriptors(), "descriptors");
    assertEquals(List.of(), takeFailures());
  }

  /// Runs a task and all that it starts.
  private void run(Callable<?> main) {
    runOn(scheduler, main);
  }

  private void sleep(Duration duration) {
    WaitForTime.on(scheduler).sleep(duration);
  }

  private record Pair(TcpSocket client, TcpSocket server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private Pair pair() throws IOException {
    try (TcpListener listener = io.listen(ADDRESS)) {
      TcpSocket client = io.connect(ADDRESS);
      return new Pair(client, listener.accept());
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void install_transport_isProvided() {
    assertEquals(Transport.PROVIDED, io.transport());
    assertEquals(host.provider(), io.provider());
    assertEquals(io, WaitForIO.on(scheduler));
  }

  @Test
  void tcp_echo() {
    run(() -> {
      try (TcpListener listener = io.listen(ADDRESS)) {
        scheduler.spawn(
            "server",
            () -> {
              try (TcpSocket socket = listener.accept()) {
                String line = socket.readLine(100, StandardCharsets.UTF_8);
                socket.write(bytes("echo " + line + "\n"));
              }
            });
        try (TcpSocket socket = io.connect(ADDRESS)) {
          socket.write(bytes("hello\n"));
          assertEquals("echo hello", socket.readLine(100, StandardCharsets.UTF_8));
          assertEquals(null, socket.readLine(100, StandardCharsets.UTF_8));
        }
      }
      return null;
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void sleep_whileATaskAccepts_takesVirtualTime() {
    run(() -> {
      TcpListener listener = io.listen(ADDRESS);
      Task<?> accepting = scheduler.spawn("accepting", () -> listener.accept());
      sleep(Duration.ofDays(1));
      listener.close();
      assertThrows(Exception.class, accepting::join);
      return null;
    });
    assertEquals(Duration.ofDays(1), clock.elapsed());
  }

  @Test
  void readTimeout_passesVirtually() {
    run(() -> {
      try (Pair pair = pair()) {
        pair.client().readTimeout(Duration.ofHours(1));
        assertThrows(TimedOutException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
      }
      return null;
    });
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void read_answerAfterASleep_isSeenAtThatInstant() {
    run(() -> {
      try (Pair pair = pair()) {
        scheduler.spawn(
            "late",
            () -> {
              sleep(Duration.ofMillis(1_500));
              return pair.server().write(bytes("x"));
            });
        assertEquals(1, pair.client().read(ByteBuffer.allocate(1)));
      }
      return null;
    });
    assertEquals(Duration.ofMillis(1_500), clock.elapsed());
  }

  @Test
  void write_peerReadsSlowly_waitsForTheWindow() {
    int size = 3_000_000;
    run(() -> {
      try (Pair pair = pair()) {
        Task<?> writer =
            scheduler.spawn("writer", () -> pair.client().write(ByteBuffer.allocate(size)));
        ByteBuffer chunk = ByteBuffer.allocate(100_000);
        for (int left = size; left > 0; ) {
          sleep(Duration.ofSeconds(1));
          left -= pair.server().read(chunk.clear());
        }
        writer.join();
      }
      return null;
    });
    assertTrue(clock.elapsed().toSeconds() >= 30, () -> "" + clock.elapsed());
  }

  @Test
  void connect_nobodyListens_isRefused() {
    run(() -> assertThrows(ConnectException.class, () -> io.connect(ADDRESS)));
  }

  @Test
  void reset_isAConnectionReset() {
    run(() -> {
      try (Pair pair = pair()) {
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        assertThrows(
            ConnectionResetException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
      }
      return null;
    });
  }

  @Test
  void udp_roundTrip() {
    run(() -> {
      try (UdpSocket one = UdpSocket.open(io, ADDRESS);
          UdpSocket other = UdpSocket.open(io, new InetSocketAddress(0))) {
        other.send(bytes("ping"), ADDRESS);
        ByteBuffer target = ByteBuffer.allocate(10);
        var datagram = one.receive(target);
        one.send(target.flip(), datagram.sender());
        ByteBuffer answer = ByteBuffer.allocate(10);
        other.receive(answer);
        assertEquals(bytes("ping"), answer.flip());
      }
      return null;
    });
  }

  @Test
  void pipe_carriesBytes() {
    run(() -> {
      try (OsPipe pipe = OsPipe.open(io)) {
        pipe.sink().write(bytes("abc"));
        assertEquals(3, pipe.source().read(ByteBuffer.allocate(10)));
      }
      return null;
    });
  }

  @Test
  void tls_echo() {
    run(() -> {
      try (TcpListener listener = io.listen(ADDRESS)) {
        scheduler.spawn(
            "server",
            () -> {
              TlsServer tls = new TlsServer(scheduler, Certificates.context("host"));
              try (TcpSocket plain = listener.accept();
                  TlsSocket socket = tls.over(plain)) {
                String line = socket.readLine(100, StandardCharsets.UTF_8);
                socket.write(bytes("echo " + line + "\n"));
              }
            });
        TlsClient tls = new TlsClient(scheduler, Certificates.context(null, "host"));
        try (TcpSocket plain = io.connect(ADDRESS);
            TlsSocket socket = tls.over(plain, "host")) {
          socket.write(bytes("secret\n"));
          assertEquals("echo secret", socket.readLine(100, StandardCharsets.UTF_8));
        }
      }
      return null;
    });
  }

  @Test
  void maxDescriptors_reached_acceptGoesOnWhenOneIsClosed() {
    run(() -> {
      TcpListener listener = io.listen(ADDRESS);
      TcpSocket first = io.connect(ADDRESS);
      TcpSocket accepted = listener.accept();
      TcpSocket second = io.connect(ADDRESS);
      host.maxDescriptors(host.openDescriptors());
      Task<TcpSocket> next = scheduler.spawn("accepting", () -> listener.accept());
      sleep(Duration.ofSeconds(1));
      assertFalse(next.isDone());
      accepted.close();
      next.join().close();
      first.close();
      second.close();
      listener.close();
      return null;
    });
    assertEquals(1, takeFailures().size()); // "Too many open files", reported once
  }

  @Test
  void allTasksWaitForEver_waitsFailAndSayWhy() {
    run(() -> {
      try (Pair pair = pair()) {
        var failure =
            assertThrows(IOException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
        assertTrue(
            failure.getMessage().contains("nothing can happen any more"), failure.getMessage());
      }
      return null;
    });
  }

  @Test
  void advanceBy_runsEventsOnTheWay() {
    clock.autojump(VirtualClock.Autojump.NEVER);
    List<String> log = new ArrayList<>();
    scheduler.spawn(() -> {
      try (Pair pair = pair()) {
        scheduler.spawn(() -> {
          sleep(Duration.ofSeconds(2));
          return pair.server().write(bytes("x"));
        });
        pair.client().read(ByteBuffer.allocate(1));
        log.add("read at " + clock.elapsed());
      }
    });
    clock.advanceBy(Duration.ofSeconds(1));
    assertEquals(List.of(), log);
    clock.advanceBy(Duration.ofSeconds(5));
    assertEquals(List.of("read at PT2S"), log);
  }

  @Test
  void sendFile_arrives(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[500_000]);
    run(() -> {
      try (Pair pair = pair();
          OpenFile open = WaitForFile.on(scheduler).open(file)) {
        Task<Long> sending =
            scheduler.spawn("sending", () -> open.transferTo(0, 500_000, pair.client()));
        ByteBuffer all = ByteBuffer.allocate(500_000);
        pair.server().readFully(all);
        assertEquals(500_000, sending.join());
      }
      return null;
    });
  }

  // Determinism.

  @Test
  void mixedWork_twice_hasTheSameTrace() {
    List<String> first = mixedWork();
    close();
    open();
    assertEquals(first, mixedWork());
    assertTrue(first.size() > 50, () -> "" + first.size());
  }

  private List<String> mixedWork() {
    List<String> trace = new ArrayList<>();
    run(() -> {
      TcpListener listener = io.listen(ADDRESS);
      Task<?> serving =
          scheduler.spawn(
              "serving",
              () -> {
                while (true) {
                  TcpSocket socket = listener.accept();
                  trace.add(clock.elapsed() + " accepted " + socket.remoteAddress());
                  scheduler.spawn("connection", () -> serve(socket, trace));
                }
              });
      List<Task<?>> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int number = i;
        clients.add(scheduler.spawn("client", () -> talk(number, trace)));
      }
      for (Task<?> client : clients) {
        client.join();
      }
      listener.close();
      assertThrows(Exception.class, serving::join);
      return null;
    });
    return trace;
  }

  private Object serve(TcpSocket socket, List<String> trace) throws IOException {
    try (socket) {
      String line;
      while ((line = socket.readLine(100, StandardCharsets.UTF_8)) != null) {
        trace.add(clock.elapsed() + " " + line);
        socket.write(bytes(line + "\n"));
      }
      return line + "";
    }
  }

  private Object talk(int number, List<String> trace) throws IOException {
    var random = new Random(number);
    try (TcpSocket socket = io.connect(ADDRESS)) {
      for (int i = 0; i < 10; i++) {
        sleep(Duration.ofMillis(random.nextInt(20)));
        socket.write(bytes(number + "-" + i + "\n"));
        trace.add(clock.elapsed() + " " + socket.readLine(100, StandardCharsets.UTF_8));
      }
      return number;
    }
  }

  // Wrong use.

  @Test
  void install_networkOfItsOwnTime_isRefused() {
    SimulatedHost other = new SimulatedNetwork().host("other", "10.0.0.1");
    var failure = assertThrows(IllegalStateException.class, () -> other.install(scheduler));
    assertTrue(failure.getMessage().contains("SimulatedNetwork.on(clock)"), failure.getMessage());
  }

  @Test
  void install_schedulerOfAnotherClock_isRefused() {
    SimulatedHost other = SimulatedNetwork.on(new VirtualClock()).host("other", "10.0.0.1");
    assertThrows(IllegalStateException.class, () -> other.install(scheduler));
  }

  @Test
  void install_twice_isRefused() {
    assertThrows(IllegalStateException.class, () -> host.install(scheduler));
  }
}
