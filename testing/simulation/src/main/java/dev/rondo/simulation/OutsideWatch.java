package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Task;
import dev.rondo.simulation.internal.agent.CallHook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Receives the calls that an [OutsideAgent] has seen, and acts on those that a task of a world has
/// made.
///
/// Confined to the world's thread and the tasks of its hosts; calls of all threads go through
/// [#called(String)].
final class OutsideWatch {

  /// The watches of all worlds that run.
  private static final List<OutsideWatch> RUNNING = new CopyOnWriteArrayList<>();

  private static boolean connected;

  private final WorldDriver driver;
  private final WorldFailures failures;
  private final Set<StackTraceElement> warned = new HashSet<>();
  private final List<AllowedCall> allowed = new ArrayList<>();
  private OutsidePolicy policy = OutsidePolicy.FAIL;

  /// Whether a call is being reported: what that calls itself is not.
  private boolean reporting;

  OutsideWatch(WorldDriver driver, WorldFailures failures) {
    this.driver = driver;
    this.failures = failures;
  }

  /// @throws IllegalStateException if the policy needs the agent, which is not there
  void policy(OutsidePolicy policy) {
    if (policy != OutsidePolicy.IGNORE && !OutsideAgent.isLoaded()) {
      throw new IllegalStateException(
          "calls that leave the simulation are seen by an agent, which is not there: start the JVM"
              + " with -javaagent:rondo-simulation.jar, or call OutsideAgent.attach()");
    }
    this.policy = policy;
  }

  void allow(AllowedCall call) {
    allowed.add(call);
  }

  /// The world runs from now on.
  void begin() {
    if (OutsideAgent.isLoaded()) {
      connect();
      RUNNING.add(this);
    }
  }

  /// The world does not run any more.
  void end() {
    RUNNING.remove(this);
  }

  private static synchronized void connect() {
    if (!connected) {
      try {
        CallHook.sink(Class.forName(CallHook.NAME, true, null), OutsideWatch::called);
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException("the agent is there without its hook", e);
      }
      connected = true;
    }
  }

  /// A call is about to be made. Any thread.
  private static void called(String call) {
    for (OutsideWatch each : RUNNING) {
      HostProcess running = each.driver.running();
      if (running != null && running.scheduler().host().isOnThread()) {
        each.calledBy(running, call);
        return;
      }
    }
  }

  private void calledBy(HostProcess process, String call) {
    driver.trace().read(call);
    if (reporting || policy == OutsidePolicy.IGNORE) {
      return;
    }
    reporting = true;
    try {
      report(process, call);
    } finally {
      reporting = false;
    }
  }

  private void report(HostProcess process, String call) {
    var kind = requireNonNull(OutsideRules.kindOf(call), call);
    var failure = new SimulationFailedError(call + " " + kind.text());
    StackTraceElement[] stack = stackBelowHook(failure.getStackTrace());
    if (isOfRondo(stack)) {
      return;
    }
    failure.setStackTrace(stack);
    String caller =
        stack.length == 0 ? "" : stack[0].getClassName() + "." + stack[0].getMethodName();
    if (allowed.stream().anyMatch(each -> each.covers(caller, call))) {
      return;
    }
    switch (policy) {
      case FAIL -> failures.add(process.host(), where(process), failure);
      case WARN -> {
        if (stack.length == 0 || warned.add(stack[0])) {
          LoggerFactory.getLogger(World.class)
              .warn(
                  "{}, {}: a call leaves the simulation", process.host(), where(process), failure);
        }
      }
      case IGNORE -> {}
    }
  }

  /// Whether Rondo itself calls the library that makes the call. The scheduler keeps futures in a
  /// map of Guava's by their identity, and no order follows from that.
  private static boolean isOfRondo(StackTraceElement[] stack) {
    for (StackTraceElement each : stack) {
      String name = each.getClassName();
      if (!name.startsWith("com.google.common.") && !name.startsWith("java.")) {
        return name.startsWith("dev.rondo.");
      }
    }
    return false;
  }

  private static String where(HostProcess process) {
    @Nullable Task<?> task = process.scheduler().currentTask();
    return task == null ? "outside of tasks" : "task '" + task.name() + "'";
  }

  private static StackTraceElement[] stackBelowHook(StackTraceElement[] stack) {
    int hook = 0;
    while (hook < stack.length && !stack[hook].getClassName().equals(CallHook.NAME)) {
      hook++;
    }
    return hook == stack.length ? stack : Arrays.copyOfRange(stack, hook + 1, stack.length);
  }
}
