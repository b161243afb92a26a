package dev.rondo.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import dev.rondo.scheduler.testing.BackendsToTest;
import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A program that hangs is asked from outside, without any setting: by the commands that the
/// documentation prints, and through JMX.
final class OutsideAccessTest {

  /// The process id in the documentation.
  private static final String PRINTED_PID = "4711";

  private static final String BIN = Path.of(System.getProperty("java.home"), "bin").toString();

  @TempDir private Path folder;
  private Process hung;

  @AfterEach
  void end() throws InterruptedException {
    hung.destroyForcibly().waitFor();
  }

  private void start(String backend, String... args) throws Exception {
    var command = new ArrayList<>(List.of(Path.of(BIN, "java").toString()));
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Drondo.backend=" + backend,
            "-cp",
            System.getProperty("java.class.path"),
            HungProgram.class.getName()));
    command.addAll(List.of(args));
    hung = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = hung.inputReader();
    String line = out.readLine();
    while (line != null && !line.equals(HungProgram.OPEN)) {
      line = out.readLine();
    }
    assertEquals(HungProgram.OPEN, line, "the program has ended");
  }

  private static List<String> backends() {
    return BackendsToTest.of(OutsideAccessTest.class);
  }

  /// Runs the block of the page that begins with jcmd, as it is printed but for the process id.
  private String asPrinted() throws Exception {
    List<String> blocks =
        DocsPage.named("docs/modules/observing.md").blocks("sh").stream()
            .filter(block -> block.startsWith("jcmd "))
            .toList();
    assertEquals(1, blocks.size());
    String script = blocks.getFirst().replace(PRINTED_PID, String.valueOf(hung.pid()));
    var shell =
        new ProcessBuilder("sh", "-e", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    shell.environment().merge("PATH", BIN, (path, bin) -> bin + File.pathSeparator + path);
    Process run = shell.start();
    String output = new String(run.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, run.waitFor(), output);
    return output;
  }

  @ParameterizedTest
  @MethodSource("backends")
  void jcmd_asPrinted_namesTheTasksAndWhatTheyWaitFor(String backend) throws Exception {
    start(backend);
    String output = asPrinted();
    assertTrue(output.contains("taskName = \"guest\""), output);
    assertTrue(output.contains("waitingFor = \"signal 'table free'\""), output);
    assertTrue(output.contains("[2J"), output);
    assertFalse(output.contains("\u001b"), output);
  }

  @ParameterizedTest
  @MethodSource("backends")
  void jcmd_asPrinted_namesTheTaskThatKeepsTheLoop(String backend) throws Exception {
    start(backend, HungProgram.SPINS);
    String output = asPrinted();
    assertTrue(output.contains("taskName = \"spinner\""), output);
    assertTrue(output.contains(HungProgram.class.getName() + ".spin"), output);
  }

  /// The system closes the input of the child when the JVM of the tests is killed.
  @Test
  void inputEnds_endsTheChild() throws Exception {
    start("continuation", HungProgram.SPINS);
    hung.outputWriter().close();
    assertEquals(0, hung.waitFor());
  }

  @ParameterizedTest
  @MethodSource("backends")
  @SuppressWarnings("BanJNDI") // the address is that of the child
  void jmx_bean_isThereByDefault(String backend) throws Exception {
    start(backend);
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(hung.pid()));
    try (var connector =
        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      Set<ObjectName> names = server.queryNames(new ObjectName("dev.rondo:type=Scheduler,*"), null);
      assertEquals(1, names.size());
      ObjectName name = names.iterator().next();
      String dump = (String) server.invoke(name, "dump", null, null);
      assertTrue(dump.contains("'guest' WAITING for signal 'table free'"), dump);
      assertTrue(dump.contains("'cook\\u001b[2J' WAITING for the instant in "), dump);
      assertFalse(dump.contains("PT"), dump);
      assertTrue((Long) server.getAttribute(name, "TurnCount") > 0);
    } finally {
      machine.detach();
    }
  }
}
