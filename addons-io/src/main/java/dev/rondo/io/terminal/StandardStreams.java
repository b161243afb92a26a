package dev.rondo.io.terminal;

import dev.rondo.io.BlockingInput;
import dev.rondo.io.BlockingOutput;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// Standard input and output without blocking the loop. The streams are those that `System` had
/// when the add-on was installed. At most one scheduler of the JVM may use the input, and no other
/// code may read it, because bytes that were read ahead for a task are lost to others.
///
/// Confined to the scheduler's thread.
public final class StandardStreams implements AddOn {

  private final InputStream input;
  private final OutputStream output;
  private final OutputStream error;
  private final Charset charset;

  private StandardStreams(Scheduler scheduler) {
    this.input = BlockingInput.create(scheduler, "standard input", System.in);
    this.output = BlockingOutput.create(scheduler, "standard output", new Checked(System.out));
    this.error = BlockingOutput.create(scheduler, "standard error", new Checked(System.err));
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
    StandardStreams installed = scheduler.addOn(StandardStreams.class);
    return installed != null ? installed : new StandardStreams(scheduler);
  }

  /// {@return the standard input} Its reads are *possible* suspension points; one that is cancelled
  /// loses nothing.
  public InputStream input() {
    return input;
  }

  /// {@return the standard output} Its writes are *always* suspension points.
  public OutputStream output() {
    return output;
  }

  /// {@return the standard error} Its writes are *always* suspension points.
  public OutputStream error() {
    return error;
  }

  /// Reads a line of the standard input. A *possible* suspension point. If it is cancelled in the
  /// middle of a line, the bytes before that are lost.
  ///
  /// @param limitBytes how long a line may be, at least zero
  /// @return the line without its LF or CR LF; null at the end of the input
  /// @throws IllegalArgumentException if the limit is negative
  /// @throws IOException if the line is longer, or the input fails
  public @Nullable String readLine(int limitBytes) throws IOException {
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "a line's limit must not be negative: limitBytes=" + limitBytes);
    }
    var line = new ByteArrayOutputStream();
    int next;
    while ((next = input.read()) >= 0 && next != '\n') {
      if (line.size() == limitBytes) {
        throw new IOException(
            "standard input: a line is longer than allowed: limit=" + limitBytes + " bytes");
      }
      line.write(next);
    }
    if (next < 0 && line.size() == 0) {
      return null;
    }
    String text = line.toString(charset);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
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
        throw new IOException("the stream accepts no more; the JDK does not report why");
      }
    }
  }

  /// Does nothing: reads end through the scheduler's inbox.
  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }
}
