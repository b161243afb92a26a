package dev.rondo.grpc;

import static dev.rondo.grpc.NumbersService.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.grpc.numbers.Number;
import dev.rondo.grpc.numbers.NumbersGrpc;
import dev.rondo.netty.NettyChannel;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Servers of gRPC whose clients send bytes as they like.
final class GrpcStrangersTest extends GrpcRig {

  private static final byte[] PREFACE = ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_HEADERS = 4;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void frame(
      ByteArrayOutputStream to, int type, int flags, int stream, byte... payload) {
    to.write(payload.length >> 16);
    to.write(payload.length >> 8);
    to.write(payload.length);
    to.write(type);
    to.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      to.write(stream >> shift);
    }
    to.writeBytes(payload);
  }

  /// A header block of literals.
  private static byte[] head(String method) {
    var block = new ByteArrayOutputStream();
    String[] fields = {
      ":method",
      "POST",
      ":scheme",
      "http",
      ":path",
      "/" + method,
      ":authority",
      "a",
      "content-type",
      "application/grpc",
      "te",
      "trailers"
    };
    for (int i = 0; i < fields.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      block.write(fields[i].length());
      block.writeBytes(ascii(fields[i]));
    }
    return block.toByteArray();
  }

  private static ByteArrayOutputStream begun() {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(PREFACE);
    frame(bytes, SETTINGS, 0, 0);
    return bytes;
  }

  private NettyChannel connect(SocketAddress address) throws IOException {
    return netty.connect(
        address,
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {}
        });
  }

  /// Messages of which a part has arrived, and the rest may never come.
  @Test
  void slowMessages_ofOneClient_keepNoOtherWaiting() {
    run(() -> {
      int[] calls = {0};
      var service =
          new NumbersService(this.calls) {
            @Override
            public StreamObserver<Number> sum(StreamObserver<Number> responses) {
              calls[0]++;
              return super.sum(responses);
            }
          };
      try (var pair = new Pair(service);
          NettyChannel slow = connect(pair.server.localAddresses().getFirst())) {
        ByteArrayOutputStream bytes = begun();
        byte[] head = head(NumbersGrpc.getSumMethod().getFullMethodName());
        for (int stream = 1; stream < 2 * 150; stream += 2) {
          frame(bytes, HEADERS, END_HEADERS, stream, head);
          frame(
              bytes, DATA, 0, stream, (byte) 0, (byte) 0, (byte) 63, (byte) 0, (byte) 0, (byte) 8);
        }
        slow.send(Unpooled.wrappedBuffer(bytes.toByteArray()));
        await(() -> calls[0] >= 100);
        for (int i = 0; i < 20; i++) {
          assertEquals(49, await(pair.futures.square(number(7))).getValue());
        }
        assertEquals(100, calls[0], "calls of one connection");
      }
    });
  }

  /// Counts the calls of `sum` that have begun and ended.
  private static final class Counting extends NumbersService {

    private final GrpcCalls own;
    private int begun;
    private int ended;

    Counting(GrpcCalls own) {
      super(own);
      this.own = own;
    }

    @Override
    public StreamObserver<Number> sum(StreamObserver<Number> responses) {
      return own.clientStreaming(
          responses,
          requests -> {
            begun++;
            try {
              return requests.receive();
            } finally {
              ended++;
            }
          });
    }
  }

  /// The head of a call, and so many bytes of a message of 256 KiB.
  private static void partOfAMessage(ByteArrayOutputStream to, int stream, int count) {
    frame(to, HEADERS, END_HEADERS, stream, head(NumbersGrpc.getSumMethod().getFullMethodName()));
    frame(to, DATA, 0, stream, (byte) 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0);
    for (int left = count; left > 0; left -= 10_000) {
      frame(to, DATA, 0, stream, new byte[Math.min(left, 10_000)]);
    }
  }

  /// One connection has a quarter of the memory, unless by one message alone.
  @Test
  void incompleteMessages_ofOneConnection_areRefusedBeyondItsShare() {
    run(() -> {
      GrpcCalls small = GrpcCalls.withMemory(scheduler, 400_000);
      var service = new Counting(small);
      try (var pair = new Pair(small.start(small.serverBuilder(anyPort()).addService(service)));
          NettyChannel slow = connect(pair.server.localAddresses().getFirst())) {
        ByteArrayOutputStream bytes = begun();
        for (int stream = 1; stream < 2 * 10; stream += 2) {
          partOfAMessage(bytes, stream, 60_000);
        }
        slow.send(Unpooled.wrappedBuffer(bytes.toByteArray()));
        await(() -> service.ended == 9);
        assertEquals(10, service.begun);
        try (var other = calls.open(pair.stub::sum)) {
          other.requests().send(number(7));
          other.requests().close();
          assertEquals(7, other.responses().receive().getValue());
        }
        assertEquals(10, service.ended, "the first message may be completed");
      }
    });
  }

  @Test
  void incompleteMessage_thatComesTooSlowly_endsItsCall() {
    run(() -> {
      var service = new Counting(calls);
      try (var pair = new Pair(service);
          NettyChannel slow = connect(pair.server.localAddresses().getFirst());
          var idle = calls.open(pair.stub::sum)) {
        ByteArrayOutputStream bytes = begun();
        partOfAMessage(bytes, 1, 10);
        slow.send(Unpooled.wrappedBuffer(bytes.toByteArray()));
        await(() -> service.begun == 2);
        long before = aheadNanos.get();
        await(() -> {
          long _ = aheadNanos.addAndGet(1_000_000_000);
          return service.ended > 0;
        });
        long seconds = (aheadNanos.get() - before) / 1_000_000_000;
        assertTrue(seconds >= 30, () -> "after " + seconds + " s");
        assertEquals(1, service.ended);
        idle.requests().send(number(7));
        idle.requests().close();
        assertEquals(7, idle.responses().receive().getValue());
      }
    });
  }

  /// Bytes of the client lie unread when the server closes, which would reset the connection.
  @Test
  void protocolBroken_goAwayArrives() {
    run(() -> {
      try (var pair = new Pair(new NumbersService(calls));
          NettyChannel client = connect(pair.server.localAddresses().getFirst())) {
        ByteArrayOutputStream bytes = begun();
        frame(bytes, DATA, 0, 9, (byte) 0);
        bytes.writeBytes(new byte[300_000]);
        client.send(Unpooled.wrappedBuffer(bytes.toByteArray()));
        var received = new ByteArrayOutputStream();
        for (ByteBuf part; (part = client.receive(ByteBuf.class)) != null; ) {
          received.writeBytes(ByteBufUtil.getBytes(part));
          part.release();
        }
        String text = received.toString(StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("\7\0\0\0\0\0"), text);
      }
    });
  }
}
