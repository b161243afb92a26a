package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.FieldInstruction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The agent and its flags, each time in a JVM of its own.
final class AgentTest {

  private static final List<String> OPENED = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED");
  static final String AGENT = "-javaagent:" + Path.of("target", "agent.jar");

  /// How a JVM ends whose agent fails: the signal 6.
  private static final int ABORTED = 128 + 6;

  private static final String GENERATOR = "jdk/internal/random/L32X64MixRandom";
  static final List<String> EQUAL_HASH_CODES =
      List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2");

  /// {@return what a program has printed}
  ///
  /// @param end how the JVM ends
  static String run(String program, int end, List<String> flags, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPENED);
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
    command.addAll(List.of(arguments));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(end, child.waitFor(), said);
    return said;
  }

  /// {@return the last line that worlds in a JVM have printed}
  private static String run(List<String> flags) throws IOException, InterruptedException {
    return run("com.acme.threads.Alone", 0, flags).lines().toList().getLast();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_withoutTheAgent_namesIt() throws Exception {
    String said = run(EQUAL_HASH_CODES);
    assertTrue(said.contains("-javaagent:rondo-simulation-threads.jar"), said);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void in_withoutTheFlagOfHashCodes_namesIt() throws Exception {
    String said = run(List.of(AGENT));
    assertTrue(said.contains("-XX:hashCode=2"), said);
  }

  /// The JDK of this one has a field with another name.
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void agent_inAJdkThatLacksAField_namesIt(@TempDir Path folder) throws Exception {
    byte[] other = renamed("java.base", "/" + GENERATOR + ".class", "defaultGen", "generator");
    Path file = folder.resolve(GENERATOR + ".class");
    Path _ = Files.createDirectories(file.getParent());
    Path _ = Files.write(file, other);
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add("--patch-module=java.base=" + folder);
    flags.add(AGENT);
    String said = run("com.acme.threads.Alone", ABORTED, flags);
    String missing = GENERATOR.replace('/', '.') + ".* that reads defaultGen";
    assertTrue(said.contains("cannot be simulated; it lacks " + missing), said);
  }

  private static byte[] renamed(String module, String file, String field, String newName)
      throws IOException {
    byte[] bytes;
    try (InputStream in =
        ModuleLayer.boot().findModule(module).orElseThrow().getResourceAsStream(file)) {
      bytes = in.readAllBytes();
    }
    ClassFile context = ClassFile.of();
    return context.transformClass(
        context.parse(bytes),
        (builder, element) -> {
          switch (element) {
            case FieldModel declared when declared.fieldName().equalsString(field) ->
                builder.withField(
                    newName, declared.fieldTypeSymbol(), declared.flags().flagsMask());
            case MethodModel method ->
                builder.transformMethod(
                    method,
                    MethodTransform.transformingCode((code, instruction) -> {
                      if (instruction instanceof FieldInstruction access
                          && access.name().equalsString(field)) {
                        code.fieldAccess(
                            access.opcode(),
                            access.owner().asSymbol(),
                            newName,
                            access.typeSymbol());
                      } else {
                        code.with(instruction);
                      }
                    }));
            default -> builder.with(element);
          }
        });
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void thread_thatNeverComesBack_endsTheJvm_withItsStack() throws Exception {
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add(AGENT);
    flags.add("-Drondo.blocking.stuck=PT0.4S");
    String said = run("com.acme.threads.Stuck", 1, flags);
    assertTrue(said.contains("of a simulation does not come back"), said);
    assertTrue(said.contains("Threads$Entering.<clinit>"), said);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void threads_areSimulated_whenThereIsAFirstWorld() throws Exception {
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add(AGENT);
    String said = run("com.acme.threads.Switched", 0, flags);
    assertEquals("false, true", said.lines().toList().getLast());
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void run_withTheSameSeed_isTheSameInEachJvm() throws Exception {
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add(AGENT);
    String first = run(flags);
    assertTrue(first.startsWith("[") && first.endsWith("]"), first);
    String[] runs = first.split("] \\[", -1);
    assertEquals(runs[0] + "]", "[" + runs[1], "two runs in one JVM");
    assertEquals(first, run(flags));
  }

  /// What classes draw when they are first used, and what threads draw from, must not differ from
  /// run to run: neither in the first one of a JVM, nor on another thread, nor in another JVM.
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void firstRun_ofAJvm_isTheSameAsLaterOnes() throws Exception {
    assertFirstRunIsTheSame("lambda");
  }

  @Test
  @Nightly("two more JVMs, each with four worlds")
  @Execution(ExecutionMode.CONCURRENT)
  void firstRun_ofAJvm_withAProcess_isTheSameAsLaterOnes() throws Exception {
    assertFirstRunIsTheSame("process");
  }

  private static void assertFirstRunIsTheSame(String kind) throws Exception {
    var flags = new ArrayList<>(EQUAL_HASH_CODES);
    flags.add(AGENT);
    String first = run("com.acme.threads.FirstUse", 0, flags, kind);
    List<String> said = first.lines().filter(each -> !each.contains(" VM warning: ")).toList();
    assertEquals(1, said.size(), first);
    assertTrue(said.getFirst().startsWith("4 runs of [shared "), first);
    assertEquals(first, run("com.acme.threads.FirstUse", 0, flags, kind));
  }
}
