package dev.rondo.cluster.internal.jgroups;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.engine.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Header;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jspecify.annotations.Nullable;

/// How frames become messages of JGroups.
///
/// The bytes of a large message are never copied, neither here nor where they are received: its
/// frame's head travels as a header of JGroups, beside it. Small frames for the same member are
/// packed into one message, which spares JGroups, and the receiver, most of the work for each.
///
/// | header | first byte | the message is |
/// |---|---|---|
/// | a head | any | the message of that frame |
/// | none | 1 | a [Frame] |
/// | none | 3 | a pack: frames, each after its length in 4 bytes |
public final class JGroupsFrames {

  private static final byte PACK = 3;

  /// A larger message is not copied.
  private static final int MOST_PACKED_BYTES = 4_096;

  /// A pack is not cut into fragments.
  private static final int MOST_PACK_BYTES = 59_000;

  /// JGroups leaves numbers from 1,024 on to programs.
  static final short HEAD = 7_301;

  private JGroupsFrames() {}

  private static final class Registration {

    static {
      ClassConfigurator.add(HEAD, Head.class);
    }

    static void ensure() {
      // By being called.
    }
  }

  /// Has JGroups know the header, in the whole JVM. Before a message is received.
  static void register() {
    Registration.ensure();
  }

  /// The head of a frame. Public for JGroups, which makes them.
  public static final class Head extends Header {

    private byte[] bytes;

    /// Makes one that is to be read.
    public Head() {
      this(new byte[0]);
    }

    private Head(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public short getMagicId() {
      return HEAD;
    }

    @Override
    public Supplier<? extends Header> create() {
      return Head::new;
    }

    @Override
    public int serializedSize() {
      return Short.BYTES + bytes.length;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
      out.writeShort(bytes.length);
      out.write(bytes);
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
      int length = in.readShort();
      if (length < 0 || length > Frame.MOST_HEAD_BYTES) {
        throw new IOException(
            "the head of a frame has 0 to %d bytes, but this one %d"
                .formatted(Frame.MOST_HEAD_BYTES, length));
      }
      bytes = new byte[length];
      in.readFully(bytes);
    }
  }

  // Sending.

  /// Has frames for a member sent in their order, in as few messages as that takes.
  ///
  /// @param version that the member speaks
  static void send(Address to, List<Frame> frames, int version, Consumer<Message> output) {
    var pack = new Pack(to, version, output);
    frames.forEach(pack::add);
    pack.send();
  }

  private static final class Pack {

    private final Address to;
    private final int version;
    private final Consumer<Message> output;
    private final List<byte[]> frames = new ArrayList<>();
    private int bytes = 1;

    Pack(Address to, int version, Consumer<Message> output) {
      this.to = to;
      this.version = version;
      this.output = output;
    }

    void add(Frame frame) {
      if (frame.message().length > MOST_PACKED_BYTES) {
        send();
        output.accept(
            new BytesMessage(to, frame.message()).putHeader(HEAD, new Head(frame.head(version))));
      } else {
        byte[] small = frame.bytes(version);
        int more = Integer.BYTES + small.length;
        if (bytes + more > MOST_PACK_BYTES) {
          send();
        }
        frames.add(small);
        bytes += more;
      }
    }

    void send() {
      if (frames.size() == 1) {
        output.accept(new BytesMessage(to, frames.getFirst()));
      } else if (!frames.isEmpty()) {
        ByteBuffer message = ByteBuffer.allocate(bytes).put(PACK);
        frames.forEach(each -> message.putInt(each.length).put(each));
        output.accept(new BytesMessage(to, message.array()));
      }
      frames.clear();
      bytes = 1;
    }
  }

  // Receiving.

  /// Takes a message apart.
  ///
  /// @param wire the versions that this node speaks
  /// @param frames receives its frames; what is none, too, see [Frame#UNREADABLE]
  static void read(Message message, Wire wire, Consumer<Frame> frames) {
    if (!message.hasArray()) {
      return;
    }
    Head head = head(message);
    if (head != null) {
      frames.accept(Frame.of(head.bytes, array(message), wire));
      return;
    }
    var in = ByteBuffer.wrap(message.getArray(), message.getOffset(), message.getLength());
    byte first = in.hasRemaining() ? in.get(in.position()) : 0;
    if (first == PACK) {
      unpack(in.position(in.position() + 1), wire, frames);
    } else {
      frames.accept(Frame.of(in, wire));
    }
  }

  private static @Nullable Head head(Message message) {
    Header header = message.getHeader(HEAD);
    return header instanceof Head head ? head : null;
  }

  private static byte[] array(Message message) {
    byte[] array = message.getArray();
    int length = message.getLength();
    return length == array.length
        ? array
        : Arrays.copyOfRange(array, message.getOffset(), message.getOffset() + length);
  }

  private static void unpack(ByteBuffer pack, Wire wire, Consumer<Frame> frames) {
    while (pack.hasRemaining()) {
      int length = pack.remaining() < Integer.BYTES ? -1 : pack.getInt();
      int taken = length < 0 || length > pack.remaining() ? pack.remaining() : length;
      frames.accept(Frame.of(pack.slice(pack.position(), taken), wire));
      var _ = pack.position(pack.position() + taken);
    }
  }
}
