package com.acme.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// What programs write, and what they read from outside.
public final class Writes {

  /// A way to write.
  @FunctionalInterface
  public interface Way {

    /// Writes, and waits until all has arrived.
    void write(String text) throws IOException;
  }

  private Writes() {}

  /// {@return ways to write, by name}
  public static Map<String, Way> ways() {
    var all = new LinkedHashMap<String, Way>();
    all.put("stream of a socket", Writes::toStream);
    all.put("channel of a socket", Writes::toChannel);
    all.put("Unix socket", Writes::toUnix);
    all.put("datagram", Writes::toDatagram);
    all.put("stream of a file", Writes::toFile);
    all.put("channel of a file", Writes::toFileChannel);
    all.put("name", text -> Files.createFile(Path.of("/" + text)));
    return all;
  }

  private static void toStream(String text) throws IOException {
    try (var listener = new ServerSocket(80);
        var client = new Socket("localhost", 80);
        Socket server = listener.accept()) {
      client.getOutputStream().write(text.getBytes(UTF_8));
      server.getInputStream().readNBytes(text.length());
    }
  }

  private static void toChannel(String text) throws IOException {
    try (var listener = new ServerSocket(80);
        var client = SocketChannel.open(listener.getLocalSocketAddress());
        Socket server = listener.accept()) {
      client.write(
          new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.wrap(text.getBytes(UTF_8))});
      server.getInputStream().readNBytes(1 + text.length());
    }
  }

  private static void toUnix(String text) throws IOException {
    try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of("/socket"));
      try (var client = SocketChannel.open(listener.getLocalAddress());
          SocketChannel server = listener.accept()) {
        client.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
        server.read(ByteBuffer.allocate(text.length()));
      }
    }
  }

  private static void toDatagram(String text) throws IOException {
    try (var socket = new DatagramSocket(53, InetAddress.getLoopbackAddress())) {
      byte[] bytes = text.getBytes(UTF_8);
      socket.send(new DatagramPacket(bytes, bytes.length, socket.getLocalSocketAddress()));
      socket.receive(new DatagramPacket(bytes, bytes.length));
    }
  }

  private static void toFile(String text) throws IOException {
    try (OutputStream out = new FileOutputStream("/file")) {
      out.write(text.getBytes(UTF_8));
    }
  }

  private static void toFileChannel(String text) throws IOException {
    try (var file =
        FileChannel.open(Path.of("/file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
  }

  /// Reads the memory of the JVM, and sleeps for as long as something from outside says.
  public static void sleep(LongSupplier outside) throws InterruptedException {
    long _ = Runtime.getRuntime().totalMemory();
    var thread = new Thread(() -> sleepFor(outside.getAsLong()), "sleeper");
    thread.start();
    thread.join();
  }

  private static void sleepFor(long millis) {
    try {
      long _ = Runtime.getRuntime().totalMemory();
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
