package com.acme.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;

/// Datagrams for groups, by `MulticastSocket`.
public final class Multicasts {

  private static final int PORT = 5_353;
  private static final InetSocketAddress GROUP =
      new InetSocketAddress(InetAddress.ofLiteral("224.0.0.251"), PORT);
  private static final InetSocketAddress OTHER =
      new InetSocketAddress(InetAddress.ofLiteral("224.0.0.252"), PORT);

  private Multicasts() {}

  /// {@return what a member receives, and how long it waits when it is one no more, in
  /// milliseconds}
  @SuppressWarnings("deprecation") // programs use it
  public static String received() throws IOException {
    List<String> received = new ArrayList<>();
    try (var socket = new MulticastSocket(PORT)) {
      socket.joinGroup(GROUP, null);
      socket.joinGroup(OTHER.getAddress());
      for (int i = 0; i < 2; i++) {
        var packet = new DatagramPacket(new byte[100], 100);
        socket.receive(packet);
        received.add(new String(packet.getData(), 0, packet.getLength(), UTF_8));
      }
      socket.leaveGroup(GROUP, null);
      socket.leaveGroup(OTHER.getAddress());
      socket.setSoTimeout(5_000);
      long begin = System.currentTimeMillis();
      try {
        socket.receive(new DatagramPacket(new byte[1], 1));
        return "more";
      } catch (SocketTimeoutException e) {
        return received + " waits " + (System.currentTimeMillis() - begin);
      }
    }
  }

  /// Sends a datagram each second, to one group and the other in turn, and does not receive its
  /// own.
  public static void send() throws IOException, InterruptedException {
    try (var socket = new MulticastSocket(PORT)) {
      socket.setTimeToLive(4);
      socket.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, false);
      socket.joinGroup(GROUP, null);
      if (socket.getTimeToLive() != 4 || socket.getLocalPort() != PORT || !socket.isBound()) {
        throw new IllegalStateException("not as set");
      }
      for (String each : List.of("first", "second", "third")) {
        Thread.sleep(1_000);
        byte[] text = each.getBytes(UTF_8);
        socket.send(new DatagramPacket(text, text.length, each.equals("second") ? OTHER : GROUP));
      }
      socket.setSoTimeout(1_000);
      try {
        socket.receive(new DatagramPacket(new byte[1], 1));
        throw new IllegalStateException("receives its own");
      } catch (SocketTimeoutException e) {
        // none
      }
    }
  }
}
