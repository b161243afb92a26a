package dev.rondo.http.server;

import dev.rondo.netty.internal.BodyMemory;
import dev.rondo.netty.internal.BodyPace;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads a body as a whole, within the memory that the server has for all bodies.
///
/// Confined to the scheduler's thread, and to the task of the request.
final class WholeBody {

  /// The number of bytes that are read before they count.
  private static final int PART_BYTES = 8 << 10;

  /// The longest array of most JVMs.
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final Scheduler scheduler;
  private final BodyMemory memory;
  private final HttpServer server;
  private final RequestBody body;
  private final HttpWire wire;
  private BodyMemory.@Nullable Share share;
  private boolean ended;

  WholeBody(HttpServer server, RequestBody body, HttpWire wire) {
    this.scheduler = server.scheduler;
    this.memory = server.bodyMemory;
    this.server = server;
    this.body = body;
    this.wire = wire;
  }

  /// @param content of the body, decompressed
  byte[] read(InputStream content) throws IOException {
    if (share != null || body.isRead()) {
      return content.readAllBytes(); // an empty rest
    }
    int most = (int) Math.min(LONGEST, neededBytes(content));
    Channel connection = wire.connection();
    BodyMemory.Share own = memory.share(connection, connection.remoteAddress());
    share = own;
    BodyPace pace = null;
    if (!body.isComplete()) {
      pace = new BodyPace(scheduler.host(), server.limits.progress());
      body.keepPace(pace);
    }
    byte[] bytes = new byte[Math.min(most, PART_BYTES)];
    int length = 0;
    while (true) {
      int count = content.read(bytes, length, bytes.length - length);
      if (count > 0) {
        grow(own, count, pace);
        length += count;
      } else if (count < 0) {
        break;
      } else { // the array is full
        int next = content.read();
        if (next < 0) {
          break;
        }
        if (length == most) {
          throw body.failed(RequestBody.tooLarge(most));
        }
        grow(own, 1, pace);
        bytes = Arrays.copyOf(bytes, (int) Math.min(most, 2L * length));
        bytes[length] = (byte) next;
        length++;
      }
    }
    own.complete();
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  /// The announced length; other lengths are not known.
  private long neededBytes(InputStream content) {
    long announced = content == body ? body.announcedBytes() : RequestBody.NOT_ANNOUNCED;
    long most = Math.min(server.mostBodyBytes, memory.mostBytes());
    if (announced > most) {
      throw body.failed(RequestBody.tooLarge(most));
    }
    return announced < 0 ? most : announced;
  }

  /// @param pace null if the whole body has arrived
  private void grow(BodyMemory.Share own, int count, @Nullable BodyPace pace) {
    if (own.tryGrow(count)) {
      return;
    }
    Duration patience = server.limits.progress();
    long beforeNanos = scheduler.host().nowNanos();
    long deadlineNanos = scheduler.host().deadlineAfter(patience);
    try {
      var _ = scheduler.host().awaitEvent(own, patience);
    } catch (TimedOutException e) {
      if (scheduler.host().nowNanos() - deadlineNanos < 0) {
        throw e; // a limit of the handler's own
      }
      throw body.failed(
          new HttpStatusException(
              HttpResponseStatus.SERVICE_UNAVAILABLE, "there is no memory for the body"));
    }
    if (pace != null) {
      pace.pausedSince(beforeNanos);
    }
  }

  /// The handler no longer needs the body.
  void end() {
    BodyMemory.Share own = share;
    if (own != null && !ended) {
      ended = true;
      own.release();
    }
  }
}
