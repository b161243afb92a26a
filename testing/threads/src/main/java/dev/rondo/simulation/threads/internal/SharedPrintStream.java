package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `System.out` or `System.err` while there are simulated processes: for a simulated thread that of
/// its process, for all others what it was before.
///
/// Any thread.
final class SharedPrintStream extends PrintStream {

  private final PrintStream real;
  private final Function<Program, PrintStream> own;

  /// @param real for threads that are not simulated
  /// @param own that of a process
  SharedPrintStream(PrintStream real, Function<Program, PrintStream> own) {
    super(OutputStream.nullOutputStream(), false, real.charset());
    this.real = real;
    this.own = own;
  }

  /// {@return what it is for threads that are not simulated}
  PrintStream real() {
    return real;
  }

  private PrintStream target() {
    Program program = Hook.current();
    return program == null ? real : own.apply(program);
  }

  @Override
  public void write(int b) {
    target().write(b);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    target().write(bytes);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    target().write(bytes, offset, length);
  }

  @Override
  public void writeBytes(byte[] bytes) {
    target().writeBytes(bytes);
  }

  @Override
  public void print(boolean value) {
    target().print(value);
  }

  @Override
  public void print(char value) {
    target().print(value);
  }

  @Override
  public void print(int value) {
    target().print(value);
  }

  @Override
  public void print(long value) {
    target().print(value);
  }

  @Override
  public void print(float value) {
    target().print(value);
  }

  @Override
  public void print(double value) {
    target().print(value);
  }

  @Override
  public void print(char[] value) {
    target().print(value);
  }

  @Override
  public void print(@Nullable String value) {
    target().print(value);
  }

  @Override
  public void print(@Nullable Object value) {
    target().print(value);
  }

  @Override
  public void println() {
    target().println();
  }

  @Override
  public void println(boolean value) {
    target().println(value);
  }

  @Override
  public void println(char value) {
    target().println(value);
  }

  @Override
  public void println(int value) {
    target().println(value);
  }

  @Override
  public void println(long value) {
    target().println(value);
  }

  @Override
  public void println(float value) {
    target().println(value);
  }

  @Override
  public void println(double value) {
    target().println(value);
  }

  @Override
  public void println(char[] value) {
    target().println(value);
  }

  @Override
  public void println(@Nullable String value) {
    target().println(value);
  }

  @Override
  public void println(@Nullable Object value) {
    target().println(value);
  }

  @Override
  @SuppressWarnings("AnnotateFormatMethod") // as that of the JDK
  public PrintStream printf(String format, @Nullable Object... arguments) {
    PrintStream _ = target().printf(format, arguments);
    return this;
  }

  @Override
  @SuppressWarnings("AnnotateFormatMethod") // as that of the JDK
  public PrintStream printf(@Nullable Locale locale, String format, @Nullable Object... arguments) {
    PrintStream _ = target().printf(locale, format, arguments);
    return this;
  }

  @Override
  @SuppressWarnings("AnnotateFormatMethod") // as that of the JDK
  public PrintStream format(String format, @Nullable Object... arguments) {
    PrintStream _ = target().format(format, arguments);
    return this;
  }

  @Override
  @SuppressWarnings("AnnotateFormatMethod") // as that of the JDK
  public PrintStream format(@Nullable Locale locale, String format, @Nullable Object... arguments) {
    PrintStream _ = target().format(locale, format, arguments);
    return this;
  }

  @Override
  public PrintStream append(@Nullable CharSequence text) {
    PrintStream _ = target().append(text);
    return this;
  }

  @Override
  public PrintStream append(@Nullable CharSequence text, int start, int end) {
    PrintStream _ = target().append(text, start, end);
    return this;
  }

  @Override
  public PrintStream append(char value) {
    PrintStream _ = target().append(value);
    return this;
  }

  @Override
  public void flush() {
    target().flush();
  }

  @Override
  public void close() {
    target().close();
  }

  @Override
  public boolean checkError() {
    return target().checkError();
  }

  @Override
  public Charset charset() {
    return target().charset();
  }
}
