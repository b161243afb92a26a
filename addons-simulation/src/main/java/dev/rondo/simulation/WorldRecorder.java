package dev.rondo.simulation;

import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.observe.Recorder;
import dev.rondo.scheduler.observe.Recording;
import dev.rondo.simulation.internal.disk.DiskWatch;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.Packet;
import dev.rondo.simulation.internal.net.PacketWatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Keeps the last events of a world: of the tasks of all hosts, of packets, of disks, and of
/// faults.
///
/// Confined to the world's thread.
final class WorldRecorder implements PacketWatch {

  /// How much of the content of a packet is kept.
  private static final int PAYLOAD_BYTES = 400;

  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;

  private final Recorder recorder;

  /// @param recorder which no scheduler has yet
  WorldRecorder(Recorder recorder, WorldTime time) {
    this.recorder = recorder.timedBy(time::nanos);
  }

  /// Has the scheduler of a host recorded.
  void record(SchedulerBuilder builder, WorldHost host) {
    SchedulerBuilder _ = builder.recorder(recorder, host.name());
  }

  /// @param host empty if it is not on one host
  void fault(String host, String what) {
    recorder.fault(host, what);
  }

  // Packets.

  /// Those that just acknowledge are left out: there are as many as others, and they say little.
  @Override
  public Packet passing(Packet packet, Host from, Host to) {
    if (packet.kind() == Packet.Kind.ACK || from == to) {
      return packet;
    }
    String sender = from.toString();
    String receiver = to.toString();
    String what = describe(packet);
    long sent = recorder.sent(sender, receiver, what, payload(packet.data()));
    return packet.watched(
        () -> recorder.arrived(receiver, sender, sent, what),
        why -> recorder.lost(sender, receiver, sent, what + ", " + why));
  }

  // Disks.

  /// {@return what records the disk of a host}
  DiskWatch diskOf(String host) {
    return new DiskWatch() {
      @Override
      public void done(String what, byte[] content) {
        recorder.note(host, what, payload(ByteBuffer.wrap(content)));
      }

      @Override
      public void lost(String what) {
        recorder.fault(host, "without power: " + what);
      }
    };
  }

  // Texts.

  private static String describe(Packet packet) {
    int bytes = packet.data().remaining();
    return bytes == 0 ? packet.kind().name() : packet.kind() + " of " + bytes + " B";
  }

  /// Text as it is; other bytes as dots.
  private static String payload(ByteBuffer data) {
    ByteBuffer content = data.duplicate();
    byte[] bytes = new byte[Math.min(content.remaining(), PAYLOAD_BYTES)];
    content.get(bytes);
    for (int i = 0; i < bytes.length; i++) {
      boolean printable = bytes[i] >= FIRST_PRINTABLE && bytes[i] <= LAST_PRINTABLE;
      if (!printable && bytes[i] != '\n') {
        bytes[i] = '.';
      }
    }
    String text = new String(bytes, StandardCharsets.US_ASCII);
    return bytes.length < data.remaining() ? text + ".." : text;
  }

  // What was recorded.

  Recording recording() {
    return recorder.recording();
  }

  /// The run has failed.
  ///
  /// @param failure null if nothing was thrown
  void failure(String what, @Nullable Throwable failure) {
    recorder.failure(what, failure);
  }
}
