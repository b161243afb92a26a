package dev.rondo.netty.http;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Reads a body as a whole, within the memory that the server has for all of them.
///
/// Confined to the scheduler's thread, and to the task of the request.
final class WholeBody {

  private final Scheduler scheduler;
  private final BodyMemory memory;
  private final HttpLimits limits;
  private final RequestBody body;
  private BodyMemory.@Nullable Share share;

  WholeBody(HttpServer server, RequestBody body) {
    this.scheduler = server.scheduler();
    this.memory = server.bodyMemory();
    this.limits = server.limits();
    this.body = body;
  }

  /// @param content of the body, decompressed
  byte[] read(InputStream content) throws IOException {
    if (share != null || body.isRead()) {
      return content.readAllBytes(); // what is left of it: nothing
    }
    BodyMemory.Share own = memory.share(neededBytes(content));
    share = own;
    await(own);
    byte[] bytes = content.readNBytes((int) Math.min(Integer.MAX_VALUE, own.bytes()));
    if (content.read() >= 0) {
      throw body.failed(RequestBody.tooLarge(bytes.length));
    }
    own.shrink(bytes.length);
    return bytes;
  }

  /// The length as announced, which others are not.
  private long neededBytes(InputStream content) {
    long announced = content == body ? body.announcedBytes() : RequestBody.NOT_ANNOUNCED;
    long most = Math.min(limits.bodyBytes(), memory.mostBytes());
    if (announced > most) {
      throw body.failed(RequestBody.tooLarge(most));
    }
    return announced < 0 ? most : announced;
  }

  private void await(BodyMemory.Share own) {
    Duration patience = limits.progress();
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
  }

  /// The handler needs the body no more.
  void end() {
    BodyMemory.Share own = share;
    if (own != null) {
      own.release();
    }
  }
}
