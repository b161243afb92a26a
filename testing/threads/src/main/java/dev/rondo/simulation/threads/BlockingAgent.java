package dev.rondo.simulation.threads;

import static java.util.Objects.requireNonNull;

import dev.rondo.simulation.threads.internal.AgentSetup;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/// The agent that lets programs written for threads run on the hosts of a world. It changes the
/// classes of the JDK, of programs and of their libraries where they read clocks, start threads and
/// draw random numbers. A simulated thread has those of its host. All other threads have what they
/// had.
///
/// Start the JVM with `-javaagent:rondo-simulation-threads.jar`. It cannot be attached later.
public final class BlockingAgent {

  private BlockingAgent() {}

  /// Called by the JVM, for `-javaagent`.
  ///
  /// @param arguments are ignored
  /// @param jvm where the agent is installed
  /// @throws IOException if the temporary folder cannot be written to
  /// @throws IllegalStateException if this JDK lacks something; the message names what, and the JVM
  ///   ends
  public static void premain(@Nullable String arguments, Instrumentation jvm) throws IOException {
    AgentSetup.install(requireNonNull(jvm, "jvm is null"));
  }
}
