package dev.rondo.io.terminal;

import dev.rondo.io.BlockingInput;
import dev.rondo.io.BlockingOutput;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Standard input and output without blocking the loop. The streams are those that `System` had
/// when the add-on was installed. At most one scheduler of the JVM may use the input, and no other
/// code may read it, because bytes that were read ahead for a task are lost to others.
///
/// Confined to the scheduler's thread.
public final class StandardStreams implements AddOn {

  private final BlockingInput input;
  private final BlockingOutput output;
  private final BlockingOutput error;
  private final Charset charset;

  private StandardStreams(Scheduler scheduler) {
    this.input = new BlockingInput(scheduler, "standard input", System.in);
    this.output = new BlockingOutput(scheduler, "standard output", new Checked(System.out));
    this.error = new BlockingOutput(scheduler, "standard error", new Checked(System.err));
    this.charset =
        Charset.forName(
            System.getProperty("stdin.encoding", Charset.defaultCharset().name()),
            Charset.defaultCharset());
    scheduler.host().install(this);
  }

  /// {@return the add-on of a scheduler} The first call installs it. Never a suspension point.
  ///
  /// @param scheduler on its own thread
  /// @throws IllegalStateException if it has none and is closed
  public static StandardStreams on(Scheduler scheduler) {
    Objects.requireNonNull(scheduler, "scheduler is null");
    StandardStreams installed = scheduler.host().addOn(StandardStreams.class);
    return installed != null ? installed : new StandardStreams(scheduler);
  }

  /// {@return the standard input} Its reads are *possible* suspension points; a cancelled read
  /// loses nothing.
  public BlockingInput input() {
    return input;
  }

  /// {@return the standard output} Its writes are *always* suspension points.
  public BlockingOutput output() {
    return output;
  }

  /// {@return the standard error} Its writes are *always* suspension points.
  public BlockingOutput error() {
    return error;
  }

  /// Reads a line of the standard input in the encoding that the system has for it. A *possible*
  /// suspension point. If it is cancelled, nothing is lost. As a branch of a select, in UTF-8:
  /// `input().readingLine(limitBytes)`.
  ///
  /// @param limitBytes how long a line may be, at least zero
  /// @return the line without its LF or CR LF; null at the end of the input
  /// @throws IllegalArgumentException if the limit is negative
  /// @throws dev.rondo.io.DelimiterNotFoundException if the line is longer; nothing is lost
  /// @throws IOException if the input fails
  public @Nullable String readLine(int limitBytes) throws IOException {
    return input.readLine(limitBytes, charset);
  }

  /// Reports failures of a `PrintStream`, which swallows them: a task that writes to a broken pipe
  /// would not notice.
  private static final class Checked extends FilterOutputStream {

    private final PrintStream beneath;

    Checked(PrintStream beneath) {
      super(beneath);
      this.beneath = beneath;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      beneath.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (beneath.checkError()) { // flushes
        throw new IOException(
            "the stream accepts no more output, for instance because its reader has ended; the JDK"
                + " does not report the cause");
      }
    }
  }

  /// Does nothing: reads end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }
}
