package dev.rondo.cluster.internal.etcd;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of etcd's protocol, in the encoding of protobuf: fields by their published numbers.
/// Generated classes would need a dependency of the program, and are more than a hundred times the
/// code, for the five messages that are sent here.
///
/// | message | its fields that are used |
/// |---|---|
/// | header of a response | 1 identity of etcd, 3 revision |
/// | key and value | 1 key, 3 revision of the last change, 5 value |
/// | range | 1 first key, 2 end, 3 limit, 4 revision; response: 1 header, 2 keys and values, 3 whether there are more |
/// | comparison | 1 kind (0 equal), 2 what (2 revision of the last change), 3 key, 6 that revision |
/// | operation | 2 put: 1 key, 2 value; 3 deletion: 1 key, 2 end |
/// | transaction | 1 comparisons, 2 operations; response: 2 whether the comparisons held |
/// | watch | 1 creation: 1 first key, 2 end, 3 first revision, 8 in fragments; response: 3 created, 4 cancelled, 6 why, 11 events |
/// | event | 1 whether it is a deletion, 2 key and value |
/// | authentication | 1 name, 2 password; response: 2 token |
public final class EtcdMessage {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private static final byte[] NONE = {};

  static final MethodDescriptor.Marshaller<EtcdMessage> MARSHALLER =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(EtcdMessage value) {
          return new ByteArrayInputStream(value.encoded());
        }

        @Override
        public EtcdMessage parse(InputStream stream) {
          try {
            return decoded(stream.readAllBytes());
          } catch (IOException e) {
            throw Status.INTERNAL
                .withDescription("no message of etcd")
                .withCause(e)
                .asRuntimeException();
          }
        }
      };

  /// {@return a method of etcd's services}
  public static MethodDescriptor<EtcdMessage, EtcdMessage> method(
      MethodDescriptor.MethodType type, String name) {
    return MethodDescriptor.<EtcdMessage, EtcdMessage>newBuilder()
        .setType(type)
        .setFullMethodName("etcdserverpb." + name)
        .setRequestMarshaller(MARSHALLER)
        .setResponseMarshaller(MARSHALLER)
        .build();
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Field(int number, long value, byte @Nullable [] bytes) {}

  private final List<Field> fields = new ArrayList<>();

  // Writing.

  public EtcdMessage with(int number, long value) {
    fields.add(new Field(number, value, null));
    return this;
  }

  public EtcdMessage with(int number, byte[] bytes) {
    fields.add(new Field(number, 0, bytes));
    return this;
  }

  public EtcdMessage with(int number, String text) {
    return with(number, text.getBytes(StandardCharsets.UTF_8));
  }

  public EtcdMessage with(int number, EtcdMessage message) {
    return with(number, message.encoded());
  }

  public byte[] encoded() {
    var out = new ByteArrayOutputStream();
    for (Field each : fields) {
      byte[] bytes = each.bytes();
      writeVarint(out, ((long) each.number() << 3) | (bytes == null ? VARINT : BYTES));
      if (bytes == null) {
        writeVarint(out, each.value());
      } else {
        writeVarint(out, bytes.length);
        out.writeBytes(bytes);
      }
    }
    return out.toByteArray();
  }

  private static void writeVarint(ByteArrayOutputStream out, long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      out.write((int) (left & 0x7F) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
  }

  // Reading.

  public static EtcdMessage decoded(byte[] bytes) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    var message = new EtcdMessage();
    try {
      while (in.hasRemaining()) {
        long tag = readVarint(in);
        int number = (int) (tag >>> 3);
        switch ((int) tag & 7) {
          case VARINT -> message.with(number, readVarint(in));
          case FIXED64 -> message.with(number, in.getLong());
          case FIXED32 -> message.with(number, in.getInt());
          case BYTES -> {
            long length = readVarint(in);
            if (length < 0 || length > in.remaining()) {
              throw new IOException("a field is longer than its message");
            }
            byte[] content = new byte[(int) length];
            in.get(content);
            message.with(number, content);
          }
          default -> throw new IOException("a field of no known type");
        }
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("a message ends in the middle", e);
    }
    return message;
  }

  private static long readVarint(ByteBuffer in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IOException("a number is too long");
  }

  /// {@return a number; 0 if it is not there}
  public long number(int number) {
    long value = 0;
    for (Field each : fields) {
      value = each.number() == number ? each.value() : value;
    }
    return value;
  }

  public boolean flag(int number) {
    return number(number) != 0;
  }

  /// {@return whether there is a message, or bytes}
  public boolean has(int number) {
    return !all(number).isEmpty();
  }

  private List<byte[]> all(int number) {
    var found = new ArrayList<byte[]>();
    for (Field each : fields) {
      byte[] bytes = each.bytes();
      if (each.number() == number && bytes != null) {
        found.add(bytes);
      }
    }
    return found;
  }

  /// {@return bytes; none if they are not there}
  public byte[] bytes(int number) {
    List<byte[]> found = all(number);
    return found.isEmpty() ? NONE : found.getLast();
  }

  public String text(int number) {
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  public EtcdMessage message(int number) throws IOException {
    return decoded(bytes(number));
  }

  public List<EtcdMessage> messages(int number) throws IOException {
    var found = new ArrayList<EtcdMessage>();
    for (byte[] each : all(number)) {
      found.add(decoded(each));
    }
    return found;
  }
}
