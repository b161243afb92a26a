package dev.rondo.benchmarks.calls;

import dev.rondo.benchmarks.run.Sample;
import dev.rondo.io.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// Counts the calls of Rondo's own methods for one wait, and the classes of these methods. A reader
/// who follows a wait through the source meets all of them. [CallAgent] defines a call, [Scenario]
/// the waits.
///
/// A scenario runs until it is steady, and then a hundred times more. Most of these runs take the
/// same number of calls, which is the result. Other runs contain one pass of the loop more or less.
///
/// `-Dcalls.trace=true` also prints the tree of calls.
public final class Calls {

  private static final boolean TRACE = Boolean.getBoolean("calls.trace");

  private static final String WORKLOAD = "calls";

  private Calls() {}

  /// Counts the calls. Without the agent it starts another JVM with the agent.
  static void main() throws Exception {
    if (!isInstrumented()) {
      System.exit(runInstrumented());
    }
    System.setProperty(Transport.PROPERTY, "nio"); // EPOLL has its own classes for the selector
    for (Scenario scenario : Scenario.values()) {
      count(scenario);
    }
  }

  private static void count(Scenario scenario) throws Exception {
    Recording usual = Recording.usual(scenario.record(TRACE));
    System.out.printf("%n# %s: %s%n", scenario.label(), scenario.window());
    if (TRACE) {
      System.out.print(usual.tree());
    }
    Sample.print(WORKLOAD, "of=" + scenario.label(), "rondo", "calls", usual.size());
    Sample.print(WORKLOAD, "of=" + scenario.label(), "rondo", "classes", usual.classes());
  }

  // The agent.

  private static boolean isInstrumented() throws ClassNotFoundException {
    Class.forName("dev.rondo.scheduler.Scheduler");
    return CallLog.isInUse();
  }

  /// Runs this program in a JVM with the agent. The classes of the agent are on the class path, so
  /// its jar contains only a manifest.
  private static int runInstrumented() throws IOException, InterruptedException {
    Path jar = Files.createTempFile("rondo-calls", ".jar");
    try {
      var manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", CallAgent.class.getName());
      try (OutputStream out = Files.newOutputStream(jar)) {
        new JarOutputStream(out, manifest).close();
      }
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(
          List.of(
              "-Xshare:off", // an agent switches it off anyway, with a warning
              "-javaagent:" + jar,
              "-cp",
              System.getProperty("java.class.path"),
              Calls.class.getName()));
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } finally {
      Files.delete(jar);
    }
  }
}
