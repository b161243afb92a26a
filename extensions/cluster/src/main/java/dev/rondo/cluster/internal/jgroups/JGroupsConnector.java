package dev.rondo.cluster.internal.jgroups;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.PhysicalAddress;
import org.jspecify.annotations.Nullable;

/// Sends packets, and keeps those to an address that is not connected yet. Connecting to it blocks,
/// so it has a thread of its own, which ends when all its packets are sent or dropped. Packets to
/// one address keep their order.
///
/// When connecting fails, the packets that waited for it are dropped, and so is what comes when an
/// address has too many: the protocols above repeat what has to arrive.
///
/// The threads are virtual, as those of JGroups are: connecting parks them, and an interrupt closes
/// the socket on which one waits.
public final class JGroupsConnector {

  /// The packets of an address that wait for its connection have at most so many bytes, or are one.
  static final int MOST_BYTES = 4 << 20;

  /// Sends packets. Any thread.
  interface Output {

    boolean isConnected(PhysicalAddress to);

    /// Connects to an address if it is not connected, and sends a packet. Blocks while it connects.
    void send(PhysicalAddress to, byte[] packet, int offset, int length) throws Exception;

    /// Interrupts a thread after a while, unless the result is run before.
    Runnable limit(Thread connecting);

    /// A packet was not sent.
    void failed(PhysicalAddress to, Exception failure);
  }

  private final Output output;

  /// Has an address until all its packets are sent or dropped.
  private final Map<PhysicalAddress, Waiting> waiting = new ConcurrentHashMap<>();

  private volatile boolean ended;

  JGroupsConnector(Output output) {
    this.output = output;
  }

  /// Sends a packet, or keeps a copy. Any thread; does not block while the address is connected.
  void send(PhysicalAddress to, byte[] packet, int offset, int length) throws Exception {
    if (!waiting.containsKey(to) && output.isConnected(to)) {
      output.send(to, packet, offset, length);
      return;
    }
    byte[] copy = Arrays.copyOfRange(packet, offset, offset + length);
    var _ =
        waiting.compute(
            to,
            (address, before) -> {
              if (ended) {
                return before;
              }
              Waiting packets = before == null ? new Waiting(address) : before;
              packets.add(copy);
              return packets;
            });
  }

  /// Drops what waits, and ends the threads. Any thread.
  void end() throws InterruptedException {
    ended = true;
    for (Waiting each : waiting.values()) {
      each.thread.interrupt();
    }
    for (Waiting each : waiting.values()) {
      each.thread.join();
    }
  }

  /// The packets of an address, which its thread sends.
  private final class Waiting {

    private final PhysicalAddress to;
    private final Thread thread;

    /// Guarded by the entry of the map, as all that follows.
    private final Deque<byte[]> packets = new ArrayDeque<>();

    private int bytes;

    Waiting(PhysicalAddress to) {
      this.to = to;
      this.thread = Thread.ofVirtual().name("cluster-connects-to-" + to).start(this::sendAll);
    }

    void add(byte[] packet) {
      if (packets.isEmpty() || bytes + packet.length <= MOST_BYTES) {
        packets.add(packet);
        bytes += packet.length;
      }
    }

    private void sendAll() {
      Deque<byte[]> taken;
      while ((taken = take()) != null) {
        try {
          for (byte[] packet; !ended && (packet = taken.poll()) != null; ) {
            send(packet);
          }
        } catch (Exception e) {
          output.failed(to, e);
        }
      }
    }

    /// Takes what waits; null if nothing does, and this thread is to end.
    private @Nullable Deque<byte[]> take() {
      var taken = new ArrayDeque<byte[]>();
      var _ =
          waiting.computeIfPresent(
              to,
              (address, self) -> {
                if (!ended) {
                  taken.addAll(packets);
                }
                packets.clear();
                bytes = 0;
                return taken.isEmpty() ? null : self;
              });
      return taken.isEmpty() ? null : taken;
    }

    private void send(byte[] packet) throws Exception {
      Runnable inTime = output.limit(Thread.currentThread());
      try {
        output.send(to, packet, 0, packet.length);
      } finally {
        inTime.run();
        var _ = Thread.interrupted(); // it may have come too late
      }
    }
  }
}
