package dev.rondo.scheduler.coroutine;

import java.util.Arrays;

/// Prevents that code of the JIT compiler makes the JVM's copies of stacks slow.
///
/// The JIT clears new objects with AVX instructions, and leaves the upper halves of vector
/// registers in use. The code of the JVM that copies a stack back has SSE instructions. Processors
/// on which that mix is slow take some 50 ns to go from one kind to the other while upper halves
/// are in use, and as much to go back. So a loop that makes an object before it resumes a coroutine
/// would take twice as long there: `AllocatingSwitchBenchmark` measures it. On BOUND it makes no
/// difference.
final class VectorState {

  private static final byte[] NOTHING = {};

  private VectorState() {}

  /// Has the compiled caller clear the upper halves before its next calls.
  ///
  /// The JIT notes for each method whether it has seen a comparison of arrays there, and clears the
  /// halves before the calls of such a method (`vzeroupper`, a nanosecond). The comparison itself
  /// is removed, since nothing uses its result. Where a JIT does otherwise, this is a call without
  /// an effect.
  static void clearBeforeCalls() {
    boolean _ = Arrays.equals(NOTHING, NOTHING);
  }
}
