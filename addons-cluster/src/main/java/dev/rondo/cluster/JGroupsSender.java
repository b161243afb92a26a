package dev.rondo.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/// The thread that sends what a member has to send, because JGroups may block.
///
/// Small frames that wait for the same member are packed into one message, which spares JGroups,
/// and the receiver, most of the work for each. The first byte says what a message is:
///
/// | first byte | the message is |
/// |---|---|
/// | 1 | a [Frame] |
/// | 2 | a command for the leader |
/// | 3 | a pack: frames, each after its length in 4 bytes |
final class JGroupsSender {

  /// What is done with a message.
  interface Output {

    /// Sends a message to a member. May block.
    void send(Address to, byte[] message);

    /// Proposes a command to the leader. May block.
    void propose(byte[] command);
  }

  static final byte COMMAND = 2;
  static final byte PACK = 3;

  /// A larger frame is a message by itself: packing would copy it.
  private static final int MOST_PACKED_BYTES = 4_096;

  /// A pack is not cut into fragments.
  private static final int MOST_PACK_BYTES = 59_000;

  private record Outgoing(@Nullable Address to, List<byte[]> frames) {}

  private static final Outgoing END = new Outgoing(null, List.of());

  private final Output output;
  private final BlockingQueue<Outgoing> queue = new LinkedTransferQueue<>();
  private final Thread thread;

  JGroupsSender(String node, Output output) {
    this.output = output;
    this.thread =
        Thread.ofPlatform().daemon().name("cluster-sender-" + node).unstarted(this::sendAll);
  }

  void start() {
    thread.start();
  }

  /// Any thread; never blocks.
  void send(Address to, List<byte[]> frames) {
    queue.add(new Outgoing(to, frames));
  }

  /// Any thread; never blocks.
  void propose(byte[] command) {
    queue.add(new Outgoing(null, List.of(command))); // the leader is looked up when it is sent
  }

  /// Ends when all is sent. Blocks.
  void end(long mostMillis) throws InterruptedException {
    queue.add(END);
    thread.join(mostMillis);
  }

  /// Takes a pack apart. What is no frame is passed on, too.
  ///
  /// @param pack without its first byte
  static void unpack(ByteBuffer pack, Consumer<ByteBuffer> frames) {
    while (pack.hasRemaining()) {
      int length = pack.remaining() < Integer.BYTES ? -1 : pack.getInt();
      int taken = length < 0 || length > pack.remaining() ? pack.remaining() : length;
      frames.accept(pack.slice(pack.position(), taken));
      var _ = pack.position(pack.position() + taken);
    }
  }

  private void sendAll() {
    try {
      for (Outgoing next; (next = queue.take()) != END; ) {
        Address to = next.to();
        if (to == null) {
          next.frames().forEach(output::propose);
        } else {
          send(new Pack(to), next.frames());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(Pack pack, List<byte[]> frames) {
    frames.forEach(pack::add);
    pack.send();
  }

  /// Frames for one member, in their order.
  private final class Pack {

    private final Address to;
    private final List<byte[]> frames = new ArrayList<>();
    private int bytes = 1;

    Pack(Address to) {
      this.to = to;
    }

    void add(byte[] frame) {
      int more = Integer.BYTES + frame.length;
      if (frame.length > MOST_PACKED_BYTES) {
        send();
        output.send(to, frame);
      } else {
        if (bytes + more > MOST_PACK_BYTES) {
          send();
        }
        frames.add(frame);
        bytes += more;
      }
    }

    void send() {
      if (frames.size() == 1) {
        output.send(to, frames.getFirst());
      } else if (!frames.isEmpty()) {
        ByteBuffer message = ByteBuffer.allocate(bytes).put(PACK);
        frames.forEach(each -> message.putInt(each.length).put(each));
        output.send(to, message.array());
      }
      frames.clear();
      bytes = 1;
    }
  }
}
