package dev.rondo.benchmarks.load;

import com.google.common.base.Splitter;
import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.benchmarks.servers.EchoServers;
import dev.rondo.benchmarks.servers.ServerProcess;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/// Up to a million idle connections of an echo server, which runs on core 0 with a collector of its
/// own choice. This process has the other ends, on core 1, from many addresses of loopback. Each
/// connection has a heartbeat a minute. Meanwhile one more connection sends a message each
/// millisecond. Its latency counts from when the message was due, behind the heartbeats of that
/// millisecond.
///
/// The cost of a turn shows in the processor time of a message of 64 busy connections without
/// heartbeats. Heap is measured after garbage collection. Kernel memory is that of both ends.
///
/// `-Didle.connections=10000,1000000` sets the numbers, `-Didle.flags=-Xmx6g,-XX:+UseZGC` the flags
/// of the server's JVM, and `-Didle.seconds` the time of heartbeats for each number. The program
/// raises [SystemLimits] and ends earlier if memory gets short. For a million it requires 16 GB.
public final class IdleConnectionsLoad {

  private static final String WORKLOAD = "idle connections";
  private static final String NUMBERS =
      System.getProperty("idle.connections", "10000,100000,1000000");
  private static final String FLAGS = System.getProperty("idle.flags", "-Xmx6g");
  private static final int SECONDS = Integer.getInteger("idle.seconds", 60);

  private static final int BUSY = 64;
  private static final double BUSY_SECONDS = 3;
  private static final int WARM_UPS = 6;

  private static final long MINUTE_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double MICRO_NANOS = 1e3;
  private static final long LONGEST_CONNECTING_NANOS = TimeUnit.MINUTES.toNanos(8);
  private static final long LEAST_AVAILABLE_BYTES = 3L << 30;

  /// After so many connections the server has accepted all of them, and the memory is checked.
  private static final int BATCH = 1_000;

  private static final int FIRST_PORT = 10_000;
  private static final int PORTS = 50_000;
  private static final int DIGITS = 3;
  private static final Pattern PAUSE = Pattern.compile("Safepoint \"(\\w+)\".* Total: +(\\d+) ns");

  private final ServerProcess server;
  private final Path pauses;
  private final SocketChannel[] idle;
  private final SystemMemory memoryBefore;
  private final long heapBefore;
  private final ByteBuffer out = ByteBuffer.allocateDirect(EchoLoad.MESSAGE_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(EchoLoad.MESSAGE_BYTES);
  private int open;
  private int nextBeat;
  private int linesBefore;

  private IdleConnectionsLoad(ServerProcess server, Path pauses, int most) throws IOException {
    this.server = server;
    this.pauses = pauses;
    this.idle = new SocketChannel[most];
    this.heapBefore = Long.parseLong(server.report());
    this.memoryBefore = SystemMemory.now();
  }

  static void main(String[] args) throws Exception {
    List<Integer> numbers = Splitter.on(',').splitToStream(NUMBERS).map(Integer::valueOf).toList();
    ServerProcess.pinGenerator();
    Path pauses = Files.createTempFile("pauses", ".log");
    List<String> flags =
        Splitter.on(',').splitToList(FLAGS + ",-Xlog:safepoint:file=" + pauses + "::filecount=0");
    try (var _ = new SystemLimits(numbers.getLast());
        var server =
            new ServerProcess(
                EchoServers.class,
                EchoServers.valueOf(args[0]),
                ServerProcess.CORE,
                flags,
                List.of())) {
      for (int i = 0; i < WARM_UPS; i++) {
        busyMicros(server);
      }
      var load = new IdleConnectionsLoad(server, pauses, numbers.getLast());
      load.measure();
      for (int number : numbers) {
        int possible = Math.min(number, SystemLimits.connections());
        if (!load.connect(possible)) {
          break;
        }
        load.measure();
        if (possible < number) {
          System.out.printf("# no more than %,d: the limit of open files%n", possible);
          break;
        }
      }
    } finally {
      Files.delete(pauses);
    }
    Runtime.getRuntime().exit(0); // closes all connections at once
  }

  // Connecting.

  /// @return whether all are open
  private boolean connect(int number) throws IOException {
    long begin = System.nanoTime();
    int first = open;
    String why = "";
    try {
      while (open < number && why.isEmpty()) {
        idle[open] = connection(open);
        open++;
        if (open % BATCH == 0 || open == number) {
          exchange(idle[open - 1]);
          why = whyNotMore(begin);
        }
      }
    } catch (IOException e) {
      why = e.toString();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "# %s: %,d connections are open, %.0f a second; %s%n",
        server.who(), open, (open - first) / seconds, paused());
    if (open < number) {
      System.out.printf("# no more than %,d: %s%n", open, why);
      measure();
    }
    return open == number;
  }

  private static String whyNotMore(long beginNanos) throws IOException {
    if (System.nanoTime() - beginNanos > LONGEST_CONNECTING_NANOS) {
      return "it takes too long";
    }
    long available = SystemMemory.now().availableBytes();
    return available < LEAST_AVAILABLE_BYTES ? "available bytes: " + available : "";
  }

  private SocketChannel connection(int index) throws IOException {
    byte[] source = {127, 0, 1, (byte) (1 + index / PORTS)};
    return connect(
        new InetSocketAddress(InetAddress.getByAddress(source), FIRST_PORT + index % PORTS));
  }

  private SocketChannel connect(InetSocketAddress source) throws IOException {
    SocketChannel made = SocketChannel.open();
    made.setOption(StandardSocketOptions.SO_LINGER, 0); // its port is free at once
    made.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    made.setOption(StandardSocketOptions.TCP_NODELAY, true);
    made.bind(source);
    made.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return made;
  }

  // Measuring.

  private void measure() throws IOException {
    String params = "connections=" + open;
    if (open > 0) {
      SystemMemory memory = SystemMemory.now();
      System.out.println("# kernel, both ends: " + memory.parts(memoryBefore, open));
      print(params, "heap B", (double) (Long.parseLong(server.report()) - heapBefore) / open);
      print(params, "kernel B", (double) (memory.slabBytes() - memoryBefore.slabBytes()) / open);
      print(
          params,
          "memory B",
          (double) (memoryBefore.availableBytes() - memory.availableBytes()) / open);
    }
    print(params, "CPU us/message", busyMicros(server));
    System.out.println("# before the heartbeats: " + paused());
    SchedStat before = server.schedStat();
    long begin = System.nanoTime();
    Histogram latencies = beat();
    double took = System.nanoTime() - begin;
    print(params, "% of a core", 100 * server.schedStat().ranNanosSince(before) / took);
    print(params, "p50 us", latencies.getValueAtPercentile(50) / MICRO_NANOS);
    print(params, "p99 us", latencies.getValueAtPercentile(99) / MICRO_NANOS);
    print(params, "p99.9 us", latencies.getValueAtPercentile(99.9) / MICRO_NANOS);
    print(params, "max us", latencies.getMaxValue() / MICRO_NANOS);
    System.out.println("# with heartbeats: " + paused());
  }

  private void print(String params, String measure, double value) {
    Sample.print(WORKLOAD, params, server.who(), measure, value);
  }

  /// {@return the processor time of a message}
  private static double busyMicros(ServerProcess server) throws IOException {
    try (var generator = new ClosedLoopGenerator(server.port(), BUSY)) {
      generator.run(BUSY_SECONDS / 3);
      generator.reset();
      SchedStat before = server.schedStat();
      generator.run(BUSY_SECONDS);
      return server.schedStat().ranNanosSince(before) / MICRO_NANOS / generator.messages();
    }
  }

  /// Sends heartbeats in turn, and the messages of the active connection.
  ///
  /// @return the latencies of these messages in nanoseconds
  private Histogram beat() throws IOException {
    var latencies = new Histogram(DIGITS);
    try (SocketChannel active =
        connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      long begin = System.nanoTime();
      int sent = 0;
      int received = nextBeat;
      for (int i = 0; i < SECONDS * 1_000; i++) {
        long due = begin + i * MILLI_NANOS;
        while (System.nanoTime() - due < 0) {
          Thread.onSpinWait();
        }
        for (; (long) open * i / MINUTE_MILLIS > sent; sent++) {
          send(idle[nextBeat++ % open]);
        }
        exchange(active);
        latencies.recordValue(System.nanoTime() - due);
        for (; received < nextBeat; received++) {
          receive(idle[received % open]); // the server has answered them before
        }
      }
      nextBeat = open == 0 ? 0 : nextBeat % open;
    }
    return latencies;
  }

  private void exchange(SocketChannel channel) throws IOException {
    send(channel);
    receive(channel);
  }

  private void send(SocketChannel channel) throws IOException {
    channel.write(out.clear());
  }

  private void receive(SocketChannel channel) throws IOException {
    in.clear();
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException("the server has closed a connection");
      }
    }
  }

  /// {@return the pauses of the server's JVM since the last call}
  private String paused() throws IOException {
    List<String> lines = Files.readAllLines(pauses);
    int count = 0;
    long total = 0;
    long longest = 0;
    String name = "";
    for (String line : lines.subList(linesBefore, lines.size())) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        long nanos = Long.parseLong(pause.group(2));
        count++;
        total += nanos;
        if (nanos > longest) {
          longest = nanos;
          name = pause.group(1);
        }
      }
    }
    linesBefore = lines.size();
    return "%d pauses, %.1f ms in all, the longest %.1f ms (%s)"
        .formatted(count, total / 1e6, longest / 1e6, name);
  }
}
