package dev.rondo.cluster.internal.agreement;

import dev.rondo.cluster.internal.engine.Saved;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a command.
///
/// @param status whether it was done
/// @param number of a counter, or the token of a lease
/// @param value of a register
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Result(Status status, long number, byte @Nullable [] value) {

  /// Whether a command was done.
  public enum Status {
    /// Done.
    DONE,
    /// Not done: the lease is another's, the value another one.
    REFUSED,
    /// The node is in the queue for the lease.
    QUEUED,
    /// The session is not known: nothing was done now.
    UNKNOWN_SESSION
  }

  /// A status is its place in here.
  private static final List<Status> STATUSES =
      List.of(Status.DONE, Status.REFUSED, Status.QUEUED, Status.UNKNOWN_SESSION);

  public static final Result DONE = new Result(Status.DONE, 0, null);
  static final Result REFUSED = new Result(Status.REFUSED, 0, null);
  static final Result QUEUED = new Result(Status.QUEUED, 0, null);
  public static final Result UNKNOWN_SESSION = new Result(Status.UNKNOWN_SESSION, 0, null);

  static Result done(long number) {
    return new Result(Status.DONE, number, null);
  }

  public boolean isDone() {
    return status == Status.DONE;
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(STATUSES.indexOf(status));
    out.writeLong(number);
    Saved.write(out, value);
  }

  static Result read(DataInput in) throws IOException {
    return new Result(STATUSES.get(in.readByte()), in.readLong(), Saved.read(in));
  }
}
