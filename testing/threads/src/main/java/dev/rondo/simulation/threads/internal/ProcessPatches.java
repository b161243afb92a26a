package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.process;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterCall;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.threads.internal.MethodPatch.anyMethod;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeSaying;
import static dev.rondo.simulation.threads.internal.MethodPatch.insteadIf;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.result;
import static dev.rondo.simulation.threads.internal.MethodPatch.resultOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIf;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.util.List;

/// The methods of the JDK about what a process has once, or must not do.
final class ProcessPatches {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.ProcessBuilder");
  private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
  private static final ClassDesc STREAM = ClassDesc.of("java.io.PrintStream");
  private static final ClassDesc REFERENCE = ClassDesc.of("java.lang.ref.Reference");
  private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
  private static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.Executor");
  private static final ClassDesc LIST = ClassDesc.of("java.util.concurrent.CopyOnWriteArrayList");
  private static final ClassDesc COUNTER =
      ClassDesc.of("java.util.concurrent.atomic.AtomicInteger");

  private static final ClassDesc PROCESS_HANDLE = ClassDesc.of("java.lang.ProcessHandle");
  private static final HookMethod COMMON_POOL = process("pool", POOL, POOL);
  private static final HookMethod EXECUTOR_OF_PROGRAM = process("executor", EXECUTOR, EXECUTOR);
  private static final HookMethod REFUSE = process("refuse", CD_void, CD_String);

  private static final String PREFERENCES = "java.util.prefs";

  static final List<MethodPatch> ALL =
      List.of(
          anyMethod("java.util.concurrent.ForkJoinPool", afterRead("common", COMMON_POOL)),
          anyMethod("java.util.concurrent.ForkJoinTask", afterRead("common", COMMON_POOL)),
          anyMethod("java.util.concurrent.CompletableFuture", afterRead("ASYNC_POOL", COMMON_POOL)),
          anyMethod(
              "java.util.concurrent.CompletableFuture$DelayedExecutor",
              afterRead("ASYNC_POOL", COMMON_POOL)),
          anyMethod(
              "jdk.internal.net.http.HttpClientImpl", afterRead("ASYNC_POOL", EXECUTOR_OF_PROGRAM)),
          anyMethod(
              "jdk.internal.net.http.HttpClientImpl$DelegatingExecutor",
              afterRead("ASYNC_POOL", EXECUTOR_OF_PROGRAM)),
          anyMethod(
              "jdk.internal.net.http.HttpClientImpl$PendingRequest",
              afterRead("ASYNC_POOL", EXECUTOR_OF_PROGRAM)),
          // The pool is made by a class initialiser as well, which keeps that of the JVM.
          anyMethod(
              "java.util.concurrent.SubmissionPublisher",
              afterCall("asyncCommonPool", EXECUTOR_OF_PROGRAM)),
          patch(
              "java.lang.ProcessHandleImpl",
              "pid",
              resultOn(process("pid", CD_long, CD_long, PROCESS_HANDLE))),
          patch(
              "sun.management.VMManagementImpl",
              "getVmId",
              afterCall("getProcessId", process("pid", CD_int, CD_int))),
          patch(
              "sun.management.VMManagementImpl",
              "getUptime",
              result(process("upTime", CD_long, CD_long))),
          patch(
              "sun.management.RuntimeImpl",
              "getStartTime",
              result(process("startTime", CD_long, CD_long))),
          patch(
              "java.lang.ref.ReferenceQueue",
              "poll",
              "()Ljava/lang/ref/Reference;",
              result(process("polled", REFERENCE, REFERENCE))),
          patch("java.lang.System", "setOut", returnIf(process("setOut", CD_boolean, STREAM))),
          patch("java.lang.System", "setErr", returnIf(process("setErr", CD_boolean, STREAM))),
          patch(
              "java.lang.Runtime",
              "addShutdownHook",
              returnIf(process("addShutdownHook", CD_boolean, RUNTIME, THREAD))),
          ofRuntime(process("removeShutdownHook", CD_boolean, RUNTIME, THREAD)),
          ofRuntime(process("exit", CD_void, RUNTIME, CD_int)),
          ofRuntime(process("halt", CD_void, RUNTIME, CD_int)),
          anyMethod(
              "java.util.concurrent.Executors$DefaultThreadFactory",
              afterRead("poolNumber", process("pools", COUNTER, COUNTER))),
          anyMethod(
              "java.util.Timer",
              afterRead("nextSerialNumber", process("timers", COUNTER, COUNTER))),
          anyMethod(
              "java.sql.DriverManager",
              afterRead("registeredDrivers", process("drivers", LIST, LIST))),
          patch(
              "java.sql.DriverManager",
              "ensureDriversInitialized",
              returnIf(process("loadDrivers", CD_boolean))),
          patch("java.lang.System", "setIn", beforeSaying("System.setIn", REFUSE)),
          patch("java.util.prefs.Preferences", "userRoot", beforeSaying(PREFERENCES, REFUSE)),
          patch("java.util.prefs.Preferences", "systemRoot", beforeSaying(PREFERENCES, REFUSE)),
          patch(
              "java.lang.ProcessBuilder",
              "start",
              beforeOn(process("subprocess", CD_void, BUILDER))));

  private ProcessPatches() {}

  private static MethodPatch ofRuntime(HookMethod instead) {
    return patch(
        "java.lang.Runtime",
        instead.name(),
        insteadIf(code -> code.aload(0), process("isSimulated", CD_boolean, RUNTIME), instead));
  }
}
