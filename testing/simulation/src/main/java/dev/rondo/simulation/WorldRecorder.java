package dev.rondo.simulation;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.Recording;
import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.scheduler.SchedulerBuilder;
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

  /// How much of it is in the description of a packet.
  private static final int BEGINNING_BYTES = 32;

  /// How much of a printed line is in the description of an event.
  private static final int LINE_CHARS = 200;

  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;

  private final RecorderCore recorder;

  /// @param recorder which no scheduler has yet
  WorldRecorder(RecorderCore recorder, WorldTime time) {
    this.recorder = recorder.timedBy(time::nanos);
  }

  /// Has the scheduler of a host recorded.
  void record(SchedulerBuilder builder, WorldHost host) {
    SchedulerBuilder _ = builder.instrument(recorder.instrument(host.name()));
  }

  /// @param host empty if it is not on one host
  void fault(String host, String what) {
    recorder.note(RecordedEvent.Kind.FAULT, host, "", RecordedEvent.NO_CAUSE, what, "");
  }

  void printed(String host, String text) {
    String line = text.lines().findFirst().orElse("");
    boolean isAll = line.length() == text.length() && line.length() <= LINE_CHARS;
    recorder.note(host, "prints: " + shortened(line), isAll ? "" : text);
  }

  private static String shortened(String line) {
    if (line.length() <= LINE_CHARS) {
      return line;
    }
    boolean cutsAPair = Character.isHighSurrogate(line.charAt(LINE_CHARS - 1));
    return line.substring(0, cutsAPair ? LINE_CHARS - 1 : LINE_CHARS) + "..";
  }

  // Packets.

  /// Mere acknowledgements are left out: they are half of all packets, and say little.
  @Override
  public Packet passing(Packet packet, Host from, Host to) {
    if (packet.kind() == Packet.Kind.ACK || from == to) {
      return packet;
    }
    String sender = from.toString();
    String receiver = to.toString();
    String what = describe(packet);
    long sent =
        recorder.note(
            RecordedEvent.Kind.SENT,
            sender,
            receiver,
            RecordedEvent.NO_CAUSE,
            what,
            payload(packet.data()));
    return packet.watched(
        () -> recorder.note(RecordedEvent.Kind.ARRIVED, receiver, sender, sent, what, ""),
        why ->
            recorder.note(RecordedEvent.Kind.LOST, sender, receiver, sent, what + ", " + why, ""));
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
        recorder.note(
            RecordedEvent.Kind.FAULT,
            host,
            "",
            RecordedEvent.NO_CAUSE,
            "without power: " + what,
            "");
      }
    };
  }

  // Texts.

  /// With the beginning of its content, unless that is no text, as under TLS.
  private static String describe(Packet packet) {
    ByteBuffer data = packet.data();
    if (!data.hasRemaining()) {
      return packet.kind().name();
    }
    String size = packet.kind() + " of " + data.remaining() + " B";
    return isText(data) ? size + ": " + beginning(data, BEGINNING_BYTES) : size;
  }

  /// Whether most of the first bytes are text, but for those before it, as the length of a frame.
  private static boolean isText(ByteBuffer data) {
    int looked = Math.min(data.remaining(), BEGINNING_BYTES);
    int first = 0;
    while (first < looked && !isPrintable(data.get(data.position() + first))) {
      first++;
    }
    int printable = 0;
    for (int i = first; i < looked; i++) {
      printable += isPrintable(data.get(data.position() + i)) ? 1 : 0;
    }
    return printable > 0 && 4 * printable >= 3 * (looked - first);
  }

  private static boolean isPrintable(byte each) {
    return (each >= FIRST_PRINTABLE && each <= LAST_PRINTABLE) || each == '\n';
  }

  private static String payload(ByteBuffer data) {
    return beginning(data, PAYLOAD_BYTES);
  }

  /// Text as it is; other bytes as dots.
  private static String beginning(ByteBuffer data, int most) {
    var bytes = new byte[Math.min(data.remaining(), most)];
    data.duplicate().get(bytes);
    for (int i = 0; i < bytes.length; i++) {
      if (!isPrintable(bytes[i])) {
        bytes[i] = '.';
      }
    }
    String text = new String(bytes, StandardCharsets.US_ASCII);
    return bytes.length < data.remaining() ? text + ".." : text;
  }

  // The recording.

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
