package dev.rondo.cluster;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;

/// The state of a job on all nodes: its last run, or the next one.
///
/// @param number of the run
/// @param isBegun whether it has begun, and not ended
/// @param due when it is due, to the millisecond
/// @param began when it has begun
record JobState(long number, boolean isBegun, Instant due, Instant began) {

  static final Codec<JobState> CODEC =
      new Codec<>() {
        @Override
        public byte[] encode(JobState state) {
          return ByteBuffer.allocate(3 * Long.BYTES + 1)
              .putLong(state.number)
              .put((byte) (state.isBegun ? 1 : 0))
              .putLong(state.due.toEpochMilli())
              .putLong(state.began.toEpochMilli())
              .array();
        }

        @Override
        public JobState decode(byte[] bytes) throws BufferUnderflowException {
          ByteBuffer in = ByteBuffer.wrap(bytes);
          return new JobState(
              in.getLong(),
              in.get() == 1,
              Instant.ofEpochMilli(in.getLong()),
              Instant.ofEpochMilli(in.getLong()));
        }
      };

  static JobState waiting(long number, Instant due) {
    return new JobState(number, false, due, Instant.EPOCH);
  }

  JobState begun(Instant now) {
    return new JobState(number, true, due, now);
  }
}
