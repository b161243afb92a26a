package com.acme.threads;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/// What programs do with sockets, besides reading and writing.
public final class Sockets {

  private Sockets() {}

  /// Asks how many bytes can be read while another thread waits for the first one.
  ///
  /// @return how many, and how long the answer took, in milliseconds
  public static String available() throws IOException, InterruptedException {
    try (var server = new ServerSocket(7);
        var client = new Socket(server.getInetAddress(), 7);
        Socket peer = server.accept()) {
      var reader = new Thread(() -> read(client));
      reader.start();
      Thread.sleep(10);
      long begin = System.currentTimeMillis();
      int count = client.getInputStream().available();
      long took = System.currentTimeMillis() - begin;
      new Thread(() -> later(peer)).start();
      reader.join();
      return count + " " + took;
    }
  }

  /// Asks how many bytes can be read of a connection that its peer has reset.
  ///
  /// @return how many, and what the next read says
  public static String availableAfterReset() throws IOException, InterruptedException {
    try (var server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      Socket peer = server.accept();
      peer.setSoLinger(true, 0);
      peer.close();
      Thread.sleep(100);
      int count = client.getInputStream().available();
      return count + " " + ended(client);
    }
  }

  /// Closes a connection of which a byte is not read.
  ///
  /// @param seen whether it was seen
  /// @return how it ends for the peer: its next read, and its next write
  public static String closedUnread(boolean seen) throws IOException, InterruptedException {
    try (var server = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        var client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      Socket peer = server.accept();
      client.getOutputStream().write(1);
      Thread.sleep(100);
      if (seen && peer.getInputStream().available() != 1) {
        return "unseen";
      }
      peer.close();
      Thread.sleep(100);
      return ended(client) + " " + writes(client);
    }
  }

  private static String ended(Socket socket) {
    try {
      return "" + socket.getInputStream().read();
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static String writes(Socket socket) {
    try {
      socket.getOutputStream().write(1);
      return "written";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /// Waits for the network with a permit to go on, and gets others meanwhile: one, none, and one
  /// with each of the two wakeups.
  ///
  /// @return how long it can park after each of the waits, in seconds
  public static List<Long> permits() throws IOException {
    var parked = new ArrayList<Long>();
    Thread own = Thread.currentThread();
    try (Selector selector = Selector.open()) {
      LockSupport.unpark(own);
      selector.select(10);
      parked.add(parked());
      new Thread(() -> LockSupport.unpark(own)).start();
      selector.select(10);
      parked.add(parked());
      selector.select(10);
      parked.add(parked());
      new Thread(
              () -> {
                LockSupport.unpark(own);
                selector.wakeup();
              })
          .start();
      selector.select();
      parked.add(parked());
      new Thread(
              () -> {
                selector.wakeup();
                LockSupport.unpark(own);
              })
          .start();
      selector.select();
      parked.add(parked());
      selector.select(10);
      parked.add(parked());
    }
    return parked;
  }

  private static long parked() {
    long begin = System.nanoTime();
    LockSupport.parkNanos(1_000_000_000);
    return (System.nanoTime() - begin) / 1_000_000_000;
  }

  /// Waits for the network.
  public interface NetworkWait {

    void run(ServerSocket server, Socket client, SocketChannel channel) throws IOException;
  }

  /// The waits that an interrupt may end.
  public static Map<String, NetworkWait> waits() {
    var waits = new LinkedHashMap<String, NetworkWait>();
    waits.put("accept", (server, client, channel) -> server.accept());
    waits.put("read", (server, client, channel) -> client.getInputStream().read());
    waits.put("write", (server, client, channel) -> writeForEver(client.getOutputStream()));
    waits.put("channel read", (server, client, channel) -> channel.read(ByteBuffer.allocate(1)));
    return waits;
  }

  private static void writeForEver(OutputStream to) throws IOException {
    while (true) {
      to.write(new byte[100_000]);
    }
  }

  /// Interrupts a thread that has waited for the network for 100 ms, and ends its wait after 5 s if
  /// it goes on.
  ///
  /// @return how it ended, after how many tenths of a second, and with what state of its thread
  public static String interrupted(Thread.Builder threads, NetworkWait wait)
      throws IOException, InterruptedException {
    InetAddress host = InetAddress.getLoopbackAddress();
    var end = new StringBuilder();
    Thread waits;
    try (var server = new ServerSocket(0, 9, host);
        var client = new Socket(host, server.getLocalPort());
        Socket _ = server.accept();
        var channel = SocketChannel.open(server.getLocalSocketAddress());
        Socket _ = server.accept()) {
      long begin = System.currentTimeMillis();
      waits =
          threads.start(() -> {
            try {
              wait.run(server, client, channel);
            } catch (IOException e) {
              end.append(e.getClass().getSimpleName()).append(": ").append(e.getMessage());
            }
            end.append(" after ").append((System.currentTimeMillis() - begin) / 100);
            end.append(Thread.currentThread().isInterrupted() ? ", interrupted" : "");
          });
      Thread.sleep(100);
      waits.interrupt();
      waits.join(5_000);
    }
    waits.join();
    return end.toString();
  }

  /// Connects on a thread that is interrupted already.
  ///
  /// @return how that ended
  public static String connected(Thread.Builder threads, String host) throws InterruptedException {
    var end = new StringBuilder();
    Thread connects =
        threads.start(() -> {
          Thread.currentThread().interrupt();
          try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, 7), 1_000);
            end.append("connected");
          } catch (IOException e) {
            end.append(e.getClass().getSimpleName()).append(": ").append(e.getMessage());
          }
        });
    connects.join();
    return end.toString();
  }

  private static void read(Socket from) {
    try {
      int _ = from.getInputStream().read();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void later(Socket to) {
    try {
      Thread.sleep(1_000);
      to.getOutputStream().write(1);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
