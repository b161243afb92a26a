package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Program;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The output of the processes of a world. Each has a `System.out` and a `System.err` of its own,
/// so a simulated thread never waits for a stream that real threads use as well. The world's thread
/// writes what was printed in a turn when the turn is over.
///
/// Confined to the world's thread, except the streams that it makes.
final class ProcessOutput {

  /// Of `System.out`, or of `System.err`.
  private enum Kind {
    OUT {
      @Override
      PrintStream get() {
        return System.out;
      }

      @Override
      void set(PrintStream to) {
        System.setOut(to);
      }

      @Override
      PrintStream of(Program program) {
        return program.out();
      }
    },
    ERR {
      @Override
      PrintStream get() {
        return System.err;
      }

      @Override
      void set(PrintStream to) {
        System.setErr(to);
      }

      @Override
      PrintStream of(Program program) {
        return program.err();
      }
    };

    abstract PrintStream get();

    abstract void set(PrintStream to);

    abstract PrintStream of(Program program);
  }

  private static final Kind[] KINDS = Kind.values();

  /// Text that was printed at once.
  private static final class Written {

    private final Kind kind;
    private final byte[] bytes;

    Written(Kind kind, byte[] bytes) {
      this.kind = kind;
      this.bytes = bytes;
    }
  }

  /// Filled by the threads of processes.
  private final Queue<Written> written = new ConcurrentLinkedQueue<>();

  /// {@return the `System.out` with which a process begins}
  PrintStream newOut() {
    return newStream(Kind.OUT);
  }

  /// {@return the `System.err` with which a process begins}
  PrintStream newErr() {
    return newStream(Kind.ERR);
  }

  private PrintStream newStream(Kind kind) {
    var bytes =
        new OutputStream() {
          @Override
          public void write(int b) {
            written.add(new Written(kind, new byte[] {(byte) b}));
          }

          @Override
          public void write(byte[] from, int offset, int length) {
            written.add(new Written(kind, Arrays.copyOfRange(from, offset, offset + length)));
          }
        };
    return new PrintStream(bytes, false, kind.get().charset());
  }

  /// Has simulated threads print to the streams of their processes, whatever the test has set
  /// meanwhile.
  void begin() {
    for (Kind each : KINDS) {
      PrintStream now = each.get();
      if (!(now instanceof SharedPrintStream)) {
        each.set(new SharedPrintStream(now, each::of));
      }
    }
  }

  /// Writes what was printed.
  void flush() {
    Written next = written.poll();
    while (next != null) {
      Kind kind = next.kind;
      var bytes = new ByteArrayOutputStream();
      do {
        bytes.writeBytes(next.bytes);
        next = written.poll();
      } while (next != null && next.kind == kind);
      PrintStream to = kind.get();
      to.write(bytes.toByteArray(), 0, bytes.size());
      to.flush();
    }
  }

  /// No process is left.
  void end() {
    flush();
    for (Kind each : KINDS) {
      if (each.get() instanceof SharedPrintStream shared) {
        each.set(shared.real());
      }
    }
  }
}
