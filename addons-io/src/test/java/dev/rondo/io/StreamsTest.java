package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.io.IoRig.World;
import dev.rondo.scheduler.Task;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/// Stream libraries over suspendable sockets, each used by one task. Several such tasks run at
/// once, so that each is suspended in the middle of a stream's call while others are, too.
class StreamsTest {

  private static final int CONNECTIONS = 4;

  @FunctionalInterface
  private interface Reading {
    Object all(TcpSocket socket) throws Exception;
  }

  @FunctionalInterface
  private interface Writing {
    void all(TcpSocket socket) throws Exception;
  }

  /// Runs pairs of a writer and a reader, all at the same time.
  private static void transfer(World world, Writing writing, Reading reading, Object expected)
      throws Exception {
    var readers = new ArrayList<Task<Object>>();
    for (int i = 0; i < CONNECTIONS; i++) {
      var pair = world.pair();
      readers.add(
          world
              .scheduler()
              .spawn(
                  "reader " + i,
                  () -> {
                    try (var socket = pair.server()) {
                      return reading.all(socket);
                    }
                  }));
      world.spawn(
          "writer " + i,
          () -> {
            try (var socket = pair.client()) {
              writing.all(socket);
            }
          });
    }
    for (Task<Object> each : readers) {
      assertEquals(expected, each.join());
    }
  }

  /// Writes in small pieces with a pause after each.
  private static Writing slowly(World world, byte[] bytes) {
    return socket -> {
      for (int from = 0; from < bytes.length; from += 7) {
        socket.write(ByteBuffer.wrap(bytes, from, Math.min(7, bytes.length - from)));
        world.scheduler().yield();
        world.scheduler().yield();
      }
    };
  }

  private static final List<String> LINES = List.of("one", "", "three", "a longer line, number 4");

  private static byte[] text() {
    return (String.join("\n", LINES) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @OnEveryBackend
  void bufferedReader_lines_areRead(IoRig rig) throws Exception {
    rig.run(world ->
        transfer(
            world,
            slowly(world, text()),
            socket ->
                new BufferedReader(new InputStreamReader(socket.input(), StandardCharsets.UTF_8))
                    .lines()
                    .toList(),
            LINES));
  }

  @OnEveryBackend
  void scanner_lines_areRead(IoRig rig) throws Exception {
    rig.run(world ->
        transfer(
            world,
            slowly(world, text()),
            socket -> {
              var lines = new ArrayList<String>();
              var scanner = new Scanner(socket.input(), StandardCharsets.UTF_8);
              while (scanner.hasNextLine()) {
                lines.add(scanner.nextLine());
              }
              return lines;
            },
            LINES));
  }

  @OnEveryBackend
  void writers_lines_areWritten(IoRig rig) throws Exception {
    rig.run(world ->
        transfer(
            world,
            socket -> {
              var writer =
                  new PrintWriter(
                      new BufferedWriter(
                          new OutputStreamWriter(socket.output(), StandardCharsets.UTF_8)),
                      true);
              for (String line : LINES) {
                writer.print(line + "\n");
                writer.flush();
                world.scheduler().yield();
              }
              var stream = new PrintStream(new BufferedOutputStream(socket.output()), true);
              stream.print("x".repeat(5_000_000));
              stream.flush();
            },
            socket -> {
              for (String line : LINES) {
                assertEquals(line, socket.readLine(100));
              }
              return socket.input().readAllBytes().length;
            },
            5_000_000));
  }

  @OnEveryBackend
  void dataStreams_allKinds_comeThrough(IoRig rig) throws Exception {
    rig.run(world ->
        transfer(
            world,
            socket -> {
              var out = new DataOutputStream(socket.output());
              out.writeInt(42);
              world.settle();
              out.writeUTF("M\u00fcnchen");
              out.writeLong(-1);
              out.writeDouble(0.5);
            },
            socket -> {
              var in = new DataInputStream(socket.input());
              return List.of(in.readInt(), in.readUTF(), in.readLong(), in.readDouble(), in.read());
            },
            List.of(42, "M\u00fcnchen", -1L, 0.5, -1)));
  }

  @OnEveryBackend
  void gzip_largeData_comesThrough(IoRig rig) throws Exception {
    var random = new Random(5);
    var bytes = new byte[3_000_000];
    random.nextBytes(bytes);
    var sum = new CRC32();
    sum.update(bytes);
    rig.run(world ->
        transfer(
            world,
            socket -> {
              try (var out = new GZIPOutputStream(socket.output())) {
                out.write(bytes);
              }
            },
            socket -> {
              var received = new CRC32();
              received.update(new GZIPInputStream(socket.input()).readAllBytes());
              return received.getValue();
            },
            sum.getValue()));
  }

  @OnEveryBackend
  void transferTo_throughAProxy_copiesAll(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var left = world.pair();
          var right = world.pair()) {
        Task<Void> proxy =
            world.spawn(
                "proxy",
                () -> {
                  assertEquals(500_000, left.server().input().transferTo(right.client().output()));
                  right.client().shutdownOutput();
                });
        world.spawn(
            "writer",
            () -> {
              left.client().output().write(new byte[500_000]);
              left.client().shutdownOutput();
            });
        assertEquals(500_000, right.server().input().readAllBytes().length);
        proxy.join();
      }
    });
  }

  @OnEveryBackend
  void byteChannel_usedByTheJdk_works(IoRig rig) throws Exception {
    rig.run(world ->
        transfer(
            world,
            socket -> {
              try (var writer = Channels.newWriter(socket, StandardCharsets.UTF_8)) {
                writer.write(new String(text(), StandardCharsets.UTF_8));
              }
            },
            socket ->
                new BufferedReader(Channels.newReader(socket, StandardCharsets.UTF_8))
                    .lines()
                    .toList(),
            LINES));
  }

  @OnEveryBackend
  void input_smallReadsAndLargeOnes_seeTheSameBytesInOrder(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var pair = world.pair()) {
        var sent = new byte[50_000];
        new Random(9).nextBytes(sent);
        world.spawn(
            "writer",
            () -> {
              pair.client().output().write(sent);
              pair.client().output().write(7);
              pair.client().output().close();
            });
        InputStream in = pair.server().input();
        assertSame(in, pair.server().input());
        var received = new ByteArrayOutputStream();
        received.write(in.read());
        received.writeBytes(in.readNBytes(10));
        received.writeBytes(in.readNBytes(20_000));
        var direct = ByteBuffer.allocate(100);
        pair.server().readFully(direct);
        received.writeBytes(direct.array());
        assertEquals(0, in.read(new byte[0]));
        assertEquals(3, in.skip(3));
        received.write(sent, received.size(), 3);
        received.writeBytes(in.readAllBytes());
        assertEquals(sent.length + 1, received.size());
        assertArrayEquals(sent, java.util.Arrays.copyOf(received.toByteArray(), sent.length));
        assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[1], 1, 1));
        in.close();
        assertThrows(ChannelClosedException.class, in::read);
      }
    });
  }

  // Which classes hold a monitor while they call their source, as StreamSocket documents.

  /// Notes whether the calling thread holds a monitor.
  private static final class Probe {

    boolean locked;

    void look() {
      ThreadInfo[] own =
          ManagementFactory.getThreadMXBean()
              .getThreadInfo(new long[] {Thread.currentThread().threadId()}, true, false);
      locked |= own[0].getLockedMonitors().length > 0;
    }

    InputStream input(byte[] bytes) {
      var source = new ByteArrayInputStream(bytes);
      return new InputStream() {
        @Override
        public int read() {
          look();
          return source.read();
        }

        @Override
        public int read(byte[] b, int off, int len) {
          look();
          return source.read(b, off, len);
        }
      };
    }

    OutputStream output() {
      return new OutputStream() {
        @Override
        public void write(int b) {
          look();
        }

        @Override
        public void write(byte[] b, int off, int len) {
          look();
        }
      };
    }
  }

  @FunctionalInterface
  private interface Use {
    void with(Probe probe) throws Exception;
  }

  @Test
  void streamClasses_ofThisJdk_holdMonitorsAsDocumented() throws Exception {
    var noise = new byte[100_000];
    new Random(1).nextBytes(noise);
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(text());
    }
    var deflated = new ByteArrayOutputStream();
    try (var deflate = new DeflaterOutputStream(deflated)) {
      deflate.write(text());
    }
    var object = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(object)) {
      out.writeObject("text");
    }
    var holds = new TreeMap<String, Boolean>();
    record Case(String name, Use use) {}
    for (Case each :
        List.of(
            new Case("BufferedInputStream", p -> new BufferedInputStream(p.input(text())).read()),
            new Case(
                "BufferedReader",
                p ->
                    new BufferedReader(
                            new InputStreamReader(p.input(text()), StandardCharsets.UTF_8))
                        .readLine()),
            new Case(
                "InputStreamReader",
                p -> new InputStreamReader(p.input(text()), StandardCharsets.UTF_8).read()),
            new Case(
                "Scanner", p -> new Scanner(p.input(text()), StandardCharsets.UTF_8).nextLine()),
            new Case("DataInputStream", p -> new DataInputStream(p.input(text())).readLong()),
            new Case("PushbackInputStream", p -> new PushbackInputStream(p.input(text())).read()),
            new Case(
                "SequenceInputStream",
                p -> new SequenceInputStream(p.input(text()), p.input(text())).readAllBytes()),
            new Case(
                "CheckedInputStream",
                p -> new CheckedInputStream(p.input(text()), new CRC32()).readAllBytes()),
            new Case(
                "GZIPInputStream",
                p -> new GZIPInputStream(p.input(zipped.toByteArray())).readAllBytes()),
            new Case(
                "InflaterInputStream",
                p -> new InflaterInputStream(p.input(deflated.toByteArray())).readAllBytes()),
            new Case(
                "ObjectInputStream",
                p -> new ObjectInputStream(p.input(object.toByteArray())).readObject()),
            new Case(
                "Channels.newReader",
                p ->
                    Channels.newReader(Channels.newChannel(p.input(text())), StandardCharsets.UTF_8)
                        .read()),
            new Case(
                "BufferedOutputStream",
                p -> {
                  var out = new BufferedOutputStream(p.output());
                  out.write(1);
                  out.flush();
                }),
            new Case(
                "DataOutputStream.writeInt", p -> new DataOutputStream(p.output()).writeInt(1)),
            new Case("DataOutputStream.write", p -> new DataOutputStream(p.output()).write(text())),
            new Case(
                "ObjectOutputStream", p -> new ObjectOutputStream(p.output()).writeObject("text")),
            new Case("PrintStream", p -> new PrintStream(p.output(), true).println("x")),
            new Case(
                "PrintWriter",
                p ->
                    new PrintWriter(
                            new OutputStreamWriter(p.output(), StandardCharsets.UTF_8), true)
                        .println("x")),
            new Case(
                "OutputStreamWriter",
                p -> {
                  var out = new OutputStreamWriter(p.output(), StandardCharsets.UTF_8);
                  out.write("x");
                  out.flush();
                }),
            new Case(
                "DeflaterOutputStream",
                p -> {
                  var out = new DeflaterOutputStream(p.output());
                  out.write(noise);
                  out.finish();
                }),
            new Case("GZIPOutputStream", p -> new GZIPOutputStream(p.output()).write(noise)))) {
      var probe = new Probe();
      each.use().with(probe);
      holds.put(each.name(), probe.locked);
    }
    var safe = holds.entrySet().stream().filter(e -> !e.getValue()).map(e -> e.getKey()).toList();
    assertEquals(
        List.of(
            "CheckedInputStream",
            "DataInputStream",
            "DataOutputStream.writeInt",
            "DeflaterOutputStream",
            "GZIPInputStream",
            "InflaterInputStream",
            "ObjectInputStream",
            "ObjectOutputStream",
            "PushbackInputStream",
            "SequenceInputStream"),
        safe);
  }
}
