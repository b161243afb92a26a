package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.internal.threads.HostSeat;
import dev.rondo.simulation.threads.hook.Program;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

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

  /// Receives what a process prints to one of the two, in a world whose run is shown.
  private final class Printed extends OutputStream {

    private final Kind kind;
    private final HostSeat seat;

    /// The line that is not complete yet.
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    Printed(Kind kind, HostSeat seat) {
      this.kind = kind;
      this.seat = seat;
    }

    @Override
    public void write(int b) {
      written.add(new Written(this, new byte[] {(byte) b}));
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      written.add(new Written(this, Arrays.copyOfRange(from, offset, offset + length)));
    }

    /// Has the lines that are complete now drawn with the run. An indented line explains the one
    /// before, as in a stack trace.
    void tell(byte[] bytes) {
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      if (end > 0) {
        begun.write(bytes, 0, end);
        BEGIN_OF_LINE
            .splitAsStream(begun.toString(kind.get().charset()))
            .filter(each -> !each.isBlank())
            .forEach(each -> seat.printed(each.stripTrailing()));
        begun.reset();
      }
      begun.write(bytes, end, bytes.length - end);
    }
  }

  /// Text that was printed at once.
  private static final class Written {

    private final Printed to;
    private final byte[] bytes;

    Written(Printed to, byte[] bytes) {
      this.to = to;
      this.bytes = bytes;
    }
  }

  private static final Pattern BEGIN_OF_LINE = Pattern.compile("(?m)^(?=\\S)");

  /// Filled by the threads of processes.
  private final Queue<Written> written = new ConcurrentLinkedQueue<>();

  /// {@return the `System.out` with which a process of a host begins}
  PrintStream newOut(HostSeat host) {
    return newStream(Kind.OUT, host);
  }

  /// {@return the `System.err` with which a process of a host begins}
  PrintStream newErr(HostSeat host) {
    return newStream(Kind.ERR, host);
  }

  private PrintStream newStream(Kind kind, HostSeat host) {
    OutputStream bytes = host.isShown() ? new Printed(kind, host) : OutputStream.nullOutputStream();
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
      Printed from = next.to;
      var bytes = new ByteArrayOutputStream();
      do {
        bytes.writeBytes(next.bytes);
        next = written.poll();
      } while (next != null && next.to == from);
      byte[] all = bytes.toByteArray();
      PrintStream to = from.kind.get();
      to.write(all, 0, all.length);
      to.flush();
      from.tell(all);
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
