package dev.rondo.io.dns;

import dev.rondo.io.TcpSocket;
import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;

/// One query to one server. Confined to the scheduler's thread.
final class DnsExchange {

  /// Larger than RFC 1035 allows, for servers that send more.
  private static final int LARGEST_DATAGRAM_BYTES = 4096;

  /// The length before each message in a stream: RFC 1035, 4.2.2.
  private static final int LENGTH_BYTES = 2;

  private static final int LARGEST_ID = 0xffff;
  private static final SecureRandom IDS = new SecureRandom();

  private final Scheduler scheduler;
  private final WaitForIO io;
  private final InetSocketAddress server;
  private final DnsQuestion question;
  private final Message query;

  DnsExchange(Scheduler scheduler, WaitForIO io, InetSocketAddress server, DnsQuestion question) {
    this.scheduler = scheduler;
    this.io = io;
    this.server = server;
    this.question = question;
    this.query = Message.newQuery(question.asked());
    query.getHeader().setID(IDS.nextInt(LARGEST_ID + 1));
  }

  Message run() throws IOException {
    Message answer = overUdp();
    return answer.getHeader().getFlag(Flags.TC) ? overTcp() : answer;
  }

  /// The channel is connected, so that the system drops datagrams of other senders, and reports
  /// when nothing listens there.
  private Message overUdp() throws IOException {
    DatagramChannel channel = io.provider().openDatagramChannel();
    try {
      channel.configureBlocking(false);
      channel.connect(server);
      ByteBuffer out = ByteBuffer.wrap(query.toWire());
      while (channel.write(out) == 0) {
        var _ = scheduler.host().awaitEvent(io.writable(channel));
      }
      var in = ByteBuffer.allocate(LARGEST_DATAGRAM_BYTES);
      while (true) {
        var _ = scheduler.host().awaitEvent(io.readable(channel));
        channel.read(in.clear());
        Message answer = answerIn(in.flip());
        if (answer != null) {
          return answer;
        }
      }
    } catch (PortUnreachableException e) {
      var unreachable = new PortUnreachableException(this + ": nothing listens there");
      unreachable.initCause(e);
      throw unreachable;
    } finally {
      io.close(channel);
    }
  }

  private Message overTcp() throws IOException {
    byte[] wire = query.toWire();
    try (TcpSocket socket = io.connect(server)) {
      ByteBuffer out = ByteBuffer.allocate(LENGTH_BYTES + wire.length);
      socket.write(out.putShort((short) wire.length).put(wire).flip());
      var length = ByteBuffer.allocate(LENGTH_BYTES);
      socket.readFully(length);
      var in = ByteBuffer.allocate(Short.toUnsignedInt(length.getShort(0)));
      socket.readFully(in);
      Message answer = answerIn(in.flip());
      if (answer == null) {
        throw new DnsException(
            this + ": the message over TCP is not an answer to this query", Rcode.FORMERR);
      }
      return answer;
    }
  }

  /// {@return the answer to this query; null if the message is anything else: forged, late, or
  /// garbage}
  ///
  /// @param datagram from its position
  private @Nullable Message answerIn(ByteBuffer datagram) {
    Message message = parsed(datagram);
    if (message == null
        || message.getHeader().getID() != query.getHeader().getID()
        || !message.getHeader().getFlag(Flags.QR)
        || message.getHeader().getOpcode() != Opcode.QUERY) {
      return null;
    }
    return question.asked().equals(message.getQuestion()) ? message : null;
  }

  /// {@return the message; null if the bytes are not a message} Never throws.
  ///
  /// @param bytes from its position
  static @Nullable Message parsed(ByteBuffer bytes) {
    var copy = new byte[bytes.remaining()];
    bytes.get(copy);
    try {
      return new Message(copy);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return question.at(server);
  }
}
