package dev.rondo.simulation.blocking.internal;

import static dev.rondo.simulation.blocking.internal.HookMethod.border;
import static dev.rondo.simulation.blocking.internal.HookMethod.chance;
import static dev.rondo.simulation.blocking.internal.HookMethod.file;
import static dev.rondo.simulation.blocking.internal.HookMethod.hook;
import static dev.rondo.simulation.blocking.internal.HookMethod.network;
import static dev.rondo.simulation.blocking.internal.HookMethod.process;
import static dev.rondo.simulation.blocking.internal.MethodPatch.afterCall;
import static dev.rondo.simulation.blocking.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.blocking.internal.MethodPatch.atEnd;
import static dev.rondo.simulation.blocking.internal.MethodPatch.before;
import static dev.rondo.simulation.blocking.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.blocking.internal.MethodPatch.beforeReturn;
import static dev.rondo.simulation.blocking.internal.MethodPatch.beforeThrowOn;
import static dev.rondo.simulation.blocking.internal.MethodPatch.insteadOfRead;
import static dev.rondo.simulation.blocking.internal.MethodPatch.result;
import static dev.rondo.simulation.blocking.internal.MethodPatch.returnIf;
import static dev.rondo.simulation.blocking.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.rondo.simulation.blocking.internal.MethodPatch.Change;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The methods of the JDK that are changed, besides their calls of clocks.
final class JdkPatches {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc PROCESS = ClassDesc.of("java.lang.Process");
  private static final ClassDesc THREAD_POOL =
      ClassDesc.of("java.util.concurrent.ThreadPoolExecutor");
  private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
  private static final ClassDesc STATE = ClassDesc.of("java.lang.Thread$State");
  private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
  private static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.Executor");
  private static final ClassDesc FACTORY = ClassDesc.of("java.net.SocketImplFactory");
  private static final ClassDesc ADDRESS = ClassDesc.of("java.net.InetAddress");
  private static final ClassDesc DATAGRAMS = ClassDesc.of("java.net.DatagramSocket");
  private static final ClassDesc SOCKET_ADDRESS = ClassDesc.of("java.net.SocketAddress");
  private static final ClassDesc PROVIDER = ClassDesc.of("java.nio.channels.spi.SelectorProvider");
  private static final ClassDesc STREAM = ClassDesc.of("java.io.FileInputStream");
  private static final ClassDesc LIST = ClassDesc.of("java.util.concurrent.CopyOnWriteArrayList");
  private static final ClassDesc SEEDS = ClassDesc.of("java.util.concurrent.atomic.AtomicLong");
  private static final ClassDesc COUNTER =
      ClassDesc.of("java.util.concurrent.atomic.AtomicInteger");
  private static final ClassDesc METHOD_TYPE = ClassDesc.of("java.lang.invoke.MethodType");
  private static final ClassDesc BYTES = CD_byte.arrayType();

  private static final HookMethod COMMON_POOL = process("pool", POOL, POOL);
  private static final HookMethod EXECUTOR_OF_PROGRAM = process("executor", EXECUTOR, EXECUTOR);
  private static final HookMethod OPENING = file("opening", CD_void, CD_String);

  private static final String ON_DISK = " (use java.nio.file: the host's disk)";
  private static final String SYNCHRONIZER =
      "java.util.concurrent.locks.AbstractQueuedSynchronizer";
  private static final String SETS = "java.util.ImmutableCollections$";

  private static final List<MethodPatch> OF_THREADS =
      List.of(
          patch("java.lang.Thread", "start", null, returnIf(hook("start", CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "alive",
              "()Z",
              resultAndThis(hook("alive", CD_boolean, CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "threadState",
              null,
              resultAndThis(hook("state", STATE, STATE, THREAD))),
          patch(
              "java.lang.Thread",
              "interrupt",
              "()V",
              returnIf(hook("interrupt", CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "isInterrupted",
              "()Z",
              resultAndThis(hook("interrupted", CD_boolean, CD_boolean, THREAD))),
          patch(
              "java.lang.Thread$ThreadIdentifiers",
              "next",
              "()J",
              result(hook("threadId", CD_long, CD_long))),
          patch(
              "java.lang.Thread$ThreadNumbering",
              "next",
              "()I",
              result(hook("threadNumber", CD_int, CD_int))),
          patch(
              "java.util.concurrent.locks.LockSupport",
              "unpark",
              null,
              before(code -> {
                code.aload(0);
                hook("unparked", THREAD, THREAD).call(code);
                code.astore(0);
              })),
          patch(
              "java.lang.VirtualThread",
              "compareAndSetOnWaitingList",
              null,
              before(hook("unblocking", CD_void))),
          patch("java.lang.VirtualThread", "unblock", "()V", result(hook("unblocked", CD_void))),
          patch(
              "java.lang.VirtualThread",
              "parkOnCarrierThread",
              null,
              before(hook("pinned", CD_void))),
          patch(
              "java.lang.ThreadBuilders",
              "newVirtualThread",
              null,
              afterCall("isSupported", hook("continuations", CD_boolean, CD_boolean))),
          patch(
              "java.lang.Object",
              "wait",
              "(J)V",
              beforeOn(hook("waiting", CD_void, CD_Object)).and(atEnd(hook("waited", CD_void)))));

  /// Where a simulated thread may wait for one that is none, and where that one ends the wait.
  private static final List<MethodPatch> OF_BORDER =
      List.of(
          patch("java.lang.Thread", "join", null, beforeOn(border("joining", CD_void, THREAD))),
          patch(
              "java.lang.ProcessImpl",
              "waitFor",
              null,
              beforeOn(border("awaiting", CD_void, PROCESS))),
          patch(
              "java.util.concurrent.ThreadPoolExecutor",
              "awaitTermination",
              null,
              beforeOn(border("awaiting", CD_void, THREAD_POOL))),
          patch(
              "java.util.concurrent.CompletableFuture",
              "timedGet",
              null,
              beforeThrowOn(border("endedAtLimit", CD_void, CD_Object))),
          releasing("java.util.concurrent.CompletableFuture", "postComplete"),
          releasing("java.util.concurrent.FutureTask", "finishCompletion"),
          releasing(SYNCHRONIZER, "releaseShared"),
          releasing(SYNCHRONIZER + "$ConditionObject", "signal"),
          releasing(SYNCHRONIZER + "$ConditionObject", "signalAll"));

  private static final List<MethodPatch> OF_PROCESSES =
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
          patch(
              "java.lang.Runtime",
              "addShutdownHook",
              null,
              returnIf(process("addShutdownHook", CD_boolean, RUNTIME, THREAD))),
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
              null,
              returnIf(process("loadDrivers", CD_boolean))),
          refused("java.lang.ProcessBuilder", "start", "a subprocess"),
          refused(
              "java.nio.channels.spi.AsynchronousChannelProvider",
              "provider",
              "an asynchronous channel"));

  private static final List<MethodPatch> OF_FILES =
      List.of(
          patch(
              "java.io.FileInputStream",
              "read",
              null,
              before(code -> {
                code.aload(0);
                file("reading", CD_void, STREAM).call(code);
              })),
          patch("java.io.FileInputStream", "open", null, before(JdkPatches::opening)),
          patch("java.io.FileOutputStream", "open", null, before(JdkPatches::opening)),
          patch("java.io.RandomAccessFile", "open", null, before(JdkPatches::opening)),
          refusedFile("java.io.FileOutputStream", "open", "a FileOutputStream" + ON_DISK),
          patch(
              "java.io.RandomAccessFile",
              "open",
              null,
              before(code -> {
                code.iload(2);
                file("refuseWrites", CD_void, CD_int).call(code);
              })),
          refusedFile("java.io.File", "createNewFile", "File.createNewFile" + ON_DISK),
          refusedFile("java.io.File", "createTempFile", "File.createTempFile" + ON_DISK),
          refusedFile("java.io.File", "delete", "File.delete" + ON_DISK),
          refusedFile("java.io.File", "mkdir", "File.mkdir" + ON_DISK),
          refusedFile("java.io.File", "renameTo", "File.renameTo" + ON_DISK));

  private static final List<MethodPatch> OF_NETWORK =
      List.of(
          anyMethod(
              "java.net.Socket", afterRead("factory", network("socketFactory", FACTORY, FACTORY))),
          anyMethod(
              "java.net.ServerSocket",
              afterRead("factory", network("serverSocketFactory", FACTORY, FACTORY))),
          patch(
              "java.net.DatagramSocket",
              "createDelegate",
              null,
              returnIfKnown(network("datagramSocket", DATAGRAMS, SOCKET_ADDRESS, CD_Class))),
          patch(
              "java.net.InetAddress",
              "getAllByName0",
              "(Ljava/lang/String;Z)[Ljava/net/InetAddress;",
              returnIfKnown(network("addresses", ADDRESS.arrayType(), CD_String))),
          patch(
              "java.net.InetAddress",
              "getHostFromNameService",
              null,
              returnIfKnown(network("nameOf", CD_String, ADDRESS))),
          patch(
              "java.net.InetAddress",
              "getLocalHost",
              null,
              returnIfKnown(network("localHost", ADDRESS))),
          patch(
              "java.nio.channels.spi.SelectorProvider",
              "provider",
              null,
              result(network("provider", PROVIDER, PROVIDER))),
          patch(
              "sun.net.www.http.HttpClient",
              "isKeepingAlive",
              null,
              result(network("keepsConnections", CD_boolean, CD_boolean))));

  private static final List<MethodPatch> OF_CHANCE =
      List.of(
          patch(
              "java.security.SecureRandom",
              "nextBytes",
              null,
              before(code -> {
                code.aload(1);
                chance("randomBytes", CD_boolean, BYTES).call(code);
                code.ifThen(then -> then.return_());
              })),
          patch(
              "java.security.SecureRandom",
              "generateSeed",
              null,
              result(chance("seedBytes", BYTES, BYTES))),
          anyMethod(
              "java.util.Random",
              afterRead("seedUniquifier", chance("seedsOfRandom", SEEDS, SEEDS))),
          anyMethod(
              "java.util.SplittableRandom",
              afterRead("defaultGen", chance("seedsOfSplittable", SEEDS, SEEDS))),
          ofGenerator("L128X1024MixRandom", "defaultGen"),
          ofGenerator("L128X128MixRandom", "defaultGen"),
          ofGenerator("L128X256MixRandom", "defaultGen"),
          ofGenerator("L32X64MixRandom", "defaultGen"),
          ofGenerator("L64X1024MixRandom", "defaultGen"),
          ofGenerator("L64X128MixRandom", "defaultGen"),
          ofGenerator("L64X128StarStarRandom", "defaultGen"),
          ofGenerator("L64X256MixRandom", "defaultGen"),
          ofGenerator("Xoroshiro128PlusPlus", "defaultGen"),
          ofGenerator("Xoshiro256PlusPlus", "DEFAULT_GEN"),
          // The order of sets and maps that are immutable, which is another one in each JVM.
          anyMethod(SETS + "Set12", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "Set12$1", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "SetN$SetNIterator", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "SetN$SetNIterator", insteadOfRead("SALT32L", CodeBuilder::lconst_0)),
          anyMethod(SETS + "MapN$MapNIterator", insteadOfRead("REVERSE", CodeBuilder::iconst_0)),
          anyMethod(SETS + "MapN$MapNIterator", insteadOfRead("SALT32L", CodeBuilder::lconst_0)));

  /// Identity hash codes are all equal. The JDK has one table of the types of methods, whose hash
  /// codes are made of those of classes, and asks it whenever code is linked.
  private static final MethodPatch OF_METHOD_TYPES =
      patch(
          "java.lang.invoke.MethodType",
          "hashCode",
          null,
          resultAndThis(hook("hashOf", CD_int, CD_int, METHOD_TYPE)));

  /// All of them. Without one of these a JDK cannot be simulated.
  static final List<MethodPatch> ALL =
      Stream.of(
              OF_THREADS,
              OF_BORDER,
              OF_PROCESSES,
              OF_FILES,
              OF_NETWORK,
              OF_CHANCE,
              List.of(OF_METHOD_TYPES))
          .flatMap(List::stream)
          .toList();

  private JdkPatches() {}

  private static MethodPatch patch(
      String type, String method, @Nullable String descriptor, Change change) {
    return new MethodPatch(type, method, descriptor, change);
  }

  /// A method that releases what threads may wait for.
  private static MethodPatch releasing(String type, String method) {
    return patch(type, method, null, beforeOn(border("released", CD_void, CD_Object)));
  }

  /// What may be in any method of a class.
  private static MethodPatch anyMethod(String type, Change change) {
    return patch(type, "*", null, change);
  }

  /// A generator of `RandomGenerator.of(..)`.
  ///
  /// @param field where it draws its seeds from
  private static MethodPatch ofGenerator(String type, String field) {
    return anyMethod(
        "jdk.internal.random." + type, afterRead(field, chance("seeds", SEEDS, SEEDS)));
  }

  /// A method that a program must not call.
  ///
  /// @param what it asks for
  private static MethodPatch refused(String type, String method, String what) {
    return refusedBy(process("refuse", CD_void, CD_String), type, method, what);
  }

  /// A method by which a program must not change a file of the computer.
  ///
  /// @param what it asks for
  private static MethodPatch refusedFile(String type, String method, String what) {
    return refusedBy(file("refuseFile", CD_void, CD_String), type, method, what);
  }

  private static MethodPatch refusedBy(HookMethod hook, String type, String method, String what) {
    return patch(
        type,
        method,
        null,
        before(code -> {
          code.loadConstant(what);
          hook.call(code);
        }));
  }

  /// The first parameter is the name of a file.
  private static void opening(CodeBuilder code) {
    code.aload(1);
    OPENING.call(code);
  }

  /// Passes the result and the object to the hook.
  private static Change resultAndThis(HookMethod hook) {
    return beforeReturn(code -> {
      code.aload(0);
      hook.call(code);
    });
  }
}
