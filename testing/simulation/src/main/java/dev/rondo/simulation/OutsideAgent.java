package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.rondo.simulation.internal.agent.CallHook;
import dev.rondo.simulation.internal.agent.CallTable;
import dev.rondo.simulation.internal.agent.OutsideTransformer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The agent that sees calls which leave a simulation when they are made. It sees those that
/// [OutsideCalls] finds in class files, but also in libraries, and only where a task of a simulated
/// host makes them. [World#outsideCalls] says what becomes of them; without that, the run fails.
///
/// Start the JVM with `-javaagent:rondo-simulation.jar`, or call [#attach()] where the JVM allows
/// it. Calls in all classes are seen, except those of the JDK, of Rondo, and of libraries for
/// logging, which read the clock for each line.
public final class OutsideAgent {

  /// Says in all class loaders that the agent is there.
  private static final String LOADED = "dev.rondo.outside.loaded";

  private static final String MANIFEST = "agent.mf";

  /// The agent reports calls that [OutsideRules] names. The call is made after the report.
  private static final CallTable REPORTED =
      called -> OutsideRules.kindOf(called.toString()) == null ? null : CallHook::report;

  private OutsideAgent() {}

  /// Called by the JVM, for `-javaagent`.
  ///
  /// @param arguments are ignored
  /// @param jvm where the agent is installed
  /// @throws IOException if the temporary folder cannot be written to
  public static void premain(@Nullable String arguments, Instrumentation jvm) throws IOException {
    install(requireNonNull(jvm, "jvm is null"));
  }

  /// Called by the JVM, for [#attach()] and for tools that attach an agent.
  ///
  /// @param arguments are ignored
  /// @param jvm where the agent is installed
  /// @throws IOException if the temporary folder cannot be written to
  public static void agentmain(@Nullable String arguments, Instrumentation jvm) throws IOException {
    install(requireNonNull(jvm, "jvm is null"));
  }

  private static synchronized void install(Instrumentation jvm) throws IOException {
    if (isLoaded()) {
      return;
    }
    Path jar = Files.createTempFile("rondo-hook", ".jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      CallHook.writeJar(out);
    }
    jar.toFile().deleteOnExit();
    try (var hook = new JarFile(jar.toFile())) {
      jvm.appendToBootstrapClassLoaderSearch(hook);
    }
    var transformer = new OutsideTransformer(REPORTED);
    jvm.addTransformer(transformer, true);
    for (Class<?> each : jvm.getAllLoadedClasses()) {
      if (jvm.isModifiableClass(each) && OutsideTransformer.concerns(each)) {
        retransform(jvm, each);
      }
    }
    System.setProperty(LOADED, "true");
  }

  private static void retransform(Instrumentation jvm, Class<?> type) {
    try {
      jvm.retransformClasses(type);
    } catch (UnmodifiableClassException | LinkageError e) {
      LoggerFactory.getLogger(OutsideAgent.class)
          .warn("calls of {} that leave a simulation are not seen", type.getName(), e);
    }
  }

  /// {@return whether the agent is in this JVM}
  static boolean isLoaded() {
    return Boolean.getBoolean(LOADED);
  }

  /// Attaches the agent to this JVM, if it is not there. The JVM refuses that unless it was started
  /// with `-Djdk.attach.allowAttachSelf=true`, and warns of it without
  /// `-XX:+EnableDynamicAgentLoading`. Method references in classes that are loaded already stay
  /// unseen.
  ///
  /// @throws IOException if the JVM refuses, or the temporary folder cannot be written to; the
  ///   agent is not there
  public static void attach() throws IOException {
    if (isLoaded()) {
      return;
    }
    Path jar = Files.createTempFile("rondo-agent", ".jar");
    try {
      try (OutputStream out = Files.newOutputStream(jar)) {
        writeJar(out);
      }
      VirtualMachine self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
      try {
        self.loadAgent(jar.toString());
      } finally {
        self.detach();
      }
    } catch (IOException
        | AttachNotSupportedException
        | AgentLoadException
        | AgentInitializationException e) {
      throw new IOException(
          "the JVM refuses the agent: start it with -javaagent:rondo-simulation.jar, or with"
              + " -Djdk.attach.allowAttachSelf=true -XX:+EnableDynamicAgentLoading",
          e);
    } finally {
      Files.delete(jar);
    }
  }

  /// Writes a jar that names this class, which is elsewhere, as its agent.
  static void writeJar(OutputStream out) throws IOException {
    try (InputStream in =
        requireNonNull(OutsideAgent.class.getResourceAsStream(MANIFEST), MANIFEST)) {
      new JarOutputStream(out, new Manifest(in)).close();
    }
  }
}
