package dev.rondo.benchmarks.servers;

import com.google.common.base.CaseFormat;
import com.google.common.base.Splitter;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.rondo.benchmarks.NanosPerOperation;
import dev.rondo.benchmarks.SchedStat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A server in its own process on core 0; the generator, which is this process, has core 1. The
/// server prints its port, and on request the resources that it has used.
public final class ServerProcess implements AutoCloseable {

  public static final String CORE = "0";
  private static final String MOST_HEAP = "-Xmx512m";
  private static final String USAGE = "usage";
  private static final String REPORT = "report";

  private final String who;
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;
  private final int port;

  /// The resources used by a process since its start.
  ///
  /// @param cpuNanos the processor time of all threads
  /// @param allocatedBytes the heap allocated by all threads
  public record Usage(long cpuNanos, long allocatedBytes) {}

  /// Starts a server on core 0.
  ///
  /// @param program its class, whose argument is the server's name
  /// @param server the name
  public ServerProcess(Class<?> program, Enum<?> server) throws IOException {
    this(program, server, CORE);
  }

  /// Starts a server.
  ///
  /// @param cores in the form of `taskset`
  /// @param more arguments of the program, after the name
  public ServerProcess(Class<?> program, Enum<?> server, String cores, String... more)
      throws IOException {
    this(program, server, cores, List.of(MOST_HEAP), List.of(more));
  }

  /// Starts a server.
  ///
  /// @param cores in the form of `taskset`
  /// @param flags of its JVM
  /// @param more arguments of the program, after the name
  public ServerProcess(
      Class<?> program, Enum<?> server, String cores, List<String> flags, List<String> more)
      throws IOException {
    who = CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.LOWER_CAMEL, server.name());
    var command = new ArrayList<String>(List.of("taskset", "-c", cores));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(it -> it.startsWith("--"))
            .toList());
    command.addAll(List.of(NanosPerOperation.ONE_CARRIER, NanosPerOperation.NO_MORE_CARRIERS));
    command.addAll(flags);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), program.getName(), server.name()));
    command.addAll(more);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    answers = process.inputReader(StandardCharsets.US_ASCII);
    questions = new PrintWriter(process.outputWriter(StandardCharsets.US_ASCII), true);
    String told = answers.readLine();
    if (told == null) {
      throw new IOException(who + " did not start");
    }
    port = Integer.parseInt(told);
  }

  public String who() {
    return who;
  }

  public int port() {
    return port;
  }

  public SchedStat schedStat() throws IOException {
    return SchedStat.of(process.toHandle());
  }

  /// {@return the counts of its compiler threads}
  public SchedStat compilerStat() throws IOException {
    return SchedStat.ofCompilers(process.toHandle());
  }

  /// Moves the server to certain cores, given in the form of `taskset`.
  public void pin(String cores) throws IOException, InterruptedException {
    pin(process.pid(), cores);
  }

  public Usage usage() throws IOException {
    String answer = ask(USAGE);
    List<String> numbers = Splitter.on(' ').splitToList(answer);
    return new Usage(Long.parseLong(numbers.get(0)), Long.parseLong(numbers.get(1)));
  }

  /// {@return the report of the server itself}
  public String report() throws IOException {
    return ask(REPORT);
  }

  private String ask(String question) throws IOException {
    questions.println(question);
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException(who + " has ended");
    }
    return answer;
  }

  @Override
  public void close() {
    questions.close(); // the server ends with its input
    process.destroy();
  }

  /// Pins this process, the generator.
  public static void pinGenerator() throws IOException, InterruptedException {
    pin(ProcessHandle.current().pid(), "1");
  }

  private static void pin(long process, String cores) throws IOException, InterruptedException {
    new ProcessBuilder("taskset", "-apc", cores, Long.toString(process))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  // In the server process.

  /// Prints the port.
  public static void tell(int port) {
    System.out.println(port);
  }

  /// Answers requests on another thread from now on; the process ends with its input.
  public static void answerQuestions() {
    answerQuestions(() -> "");
  }

  /// The same for a server that also makes a report.
  public static void answerQuestions(Supplier<String> report) {
    Thread.ofPlatform().daemon().start(() -> answer(report));
  }

  private static void answer(Supplier<String> report) {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (var lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String question; (question = lines.readLine()) != null; ) {
        System.out.println(
            question.equals(REPORT)
                ? report.get()
                : system.getProcessCpuTime() + " " + threads.getTotalThreadAllocatedBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }
}
