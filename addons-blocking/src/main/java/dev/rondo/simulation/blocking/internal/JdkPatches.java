package dev.rondo.simulation.blocking.internal;

import static dev.rondo.simulation.blocking.internal.MethodPatch.afterCall;
import static dev.rondo.simulation.blocking.internal.MethodPatch.afterRead;
import static dev.rondo.simulation.blocking.internal.MethodPatch.atEnd;
import static dev.rondo.simulation.blocking.internal.MethodPatch.before;
import static dev.rondo.simulation.blocking.internal.MethodPatch.beforeReturn;
import static dev.rondo.simulation.blocking.internal.MethodPatch.returnIf;
import static dev.rondo.simulation.blocking.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeTransform;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The methods of the JDK that are changed, besides their calls of clocks.
final class JdkPatches {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc RUNTIME = ClassDesc.of("java.lang.Runtime");
  private static final ClassDesc STATE = ClassDesc.of("java.lang.Thread$State");
  private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
  private static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.Executor");
  private static final ClassDesc FACTORY = ClassDesc.of("java.net.SocketImplFactory");
  private static final ClassDesc ADDRESS = ClassDesc.of("java.net.InetAddress");
  private static final ClassDesc PROVIDER = ClassDesc.of("java.nio.channels.spi.SelectorProvider");
  private static final ClassDesc LIST = ClassDesc.of("java.util.concurrent.CopyOnWriteArrayList");
  private static final ClassDesc SEEDS = ClassDesc.of("java.util.concurrent.atomic.AtomicLong");
  private static final ClassDesc BYTES = CD_byte.arrayType();

  private static final String ON_DISK = " (use java.nio.file: the host's disk)";

  /// The generators of `RandomGenerator.of(..)`, which draw their seeds from a field of the class.
  private static final List<String> GENERATORS =
      List.of(
          "L128X1024MixRandom",
          "L128X128MixRandom",
          "L128X256MixRandom",
          "L32X64MixRandom",
          "L64X1024MixRandom",
          "L64X128MixRandom",
          "L64X128StarStarRandom",
          "L64X256MixRandom",
          "Xoroshiro128PlusPlus",
          "Xoshiro256PlusPlus");

  private static final List<MethodPatch> OTHERS =
      List.of(
          patch(
              "java.lang.Thread",
              "start",
              null,
              () -> returnIf("start", MethodTypeDesc.of(CD_boolean, THREAD), TypeKind.VOID)),
          patch(
              "java.lang.Thread",
              "alive",
              "()Z",
              () ->
                  beforeReturn(code ->
                      code.aload(0)
                          .invokestatic(
                              HookCalls.HOOK,
                              "alive",
                              MethodTypeDesc.of(CD_boolean, CD_boolean, THREAD)))),
          patch(
              "java.lang.Thread",
              "threadState",
              null,
              () ->
                  beforeReturn(code ->
                      code.aload(0)
                          .invokestatic(
                              HookCalls.HOOK, "state", MethodTypeDesc.of(STATE, STATE, THREAD)))),
          patch(
              "java.lang.Thread",
              "interrupt",
              "()V",
              () -> returnIf("interrupt", MethodTypeDesc.of(CD_boolean, THREAD), TypeKind.VOID)),
          patch(
              "java.lang.Thread",
              "isInterrupted",
              "()Z",
              () ->
                  beforeReturn(code ->
                      code.aload(0)
                          .invokestatic(
                              HookCalls.HOOK,
                              "interrupted",
                              MethodTypeDesc.of(CD_boolean, CD_boolean, THREAD)))),
          patch(
              "java.lang.Thread$ThreadIdentifiers",
              "next",
              "()J",
              () -> result("threadId", MethodTypeDesc.of(CD_long, CD_long))),
          patch(
              "java.lang.Thread$ThreadNumbering",
              "next",
              "()I",
              () -> result("threadNumber", MethodTypeDesc.of(CD_int, CD_int))),
          patch(
              "java.util.concurrent.locks.LockSupport",
              "unpark",
              null,
              () ->
                  before(code ->
                      code.aload(0)
                          .invokestatic(
                              HookCalls.HOOK, "unparked", MethodTypeDesc.of(THREAD, THREAD))
                          .astore(0))),
          patch(
              "java.lang.VirtualThread",
              "compareAndSetOnWaitingList",
              null,
              () ->
                  before(code ->
                      code.invokestatic(HookCalls.HOOK, "unblocking", MethodTypeDesc.of(CD_void)))),
          patch(
              "java.lang.VirtualThread",
              "unblock",
              "()V",
              () ->
                  beforeReturn(code ->
                      code.invokestatic(HookCalls.HOOK, "unblocked", MethodTypeDesc.of(CD_void)))),
          patch(
              "java.lang.VirtualThread",
              "parkOnCarrierThread",
              null,
              () ->
                  before(code ->
                      code.invokestatic(HookCalls.HOOK, "pinned", MethodTypeDesc.of(CD_void)))),
          patch(
              "java.lang.ThreadBuilders",
              "newVirtualThread",
              null,
              () ->
                  afterCall(
                      "isSupported", "continuations", MethodTypeDesc.of(CD_boolean, CD_boolean))),
          patch("java.util.concurrent.ForkJoinPool", "*", null, JdkPatches::commonPool),
          patch("java.util.concurrent.ForkJoinTask", "*", null, JdkPatches::commonPool),
          patch(
              "java.util.concurrent.CompletableFuture",
              "*",
              null,
              () -> afterRead("ASYNC_POOL", "pool", MethodTypeDesc.of(POOL, POOL))),
          patch(
              "jdk.internal.net.http.HttpClientImpl",
              "*",
              null,
              () -> afterRead("ASYNC_POOL", "executor", MethodTypeDesc.of(EXECUTOR, EXECUTOR))),
          patch(
              "jdk.internal.net.http.HttpClientImpl$DelegatingExecutor",
              "*",
              null,
              () -> afterRead("ASYNC_POOL", "executor", MethodTypeDesc.of(EXECUTOR, EXECUTOR))),
          patch(
              "sun.net.www.http.HttpClient",
              "isKeepingAlive",
              null,
              () -> result("keepsConnections", MethodTypeDesc.of(CD_boolean, CD_boolean))),
          refused("java.lang.ProcessBuilder", "start", "a subprocess"),
          patch(
              "java.net.DatagramSocket",
              "createDelegate",
              null,
              () ->
                  returnIfKnown(
                      "datagramSocket",
                      MethodTypeDesc.of(
                          ClassDesc.of("java.net.DatagramSocket"),
                          ClassDesc.of("java.net.SocketAddress"),
                          CD_Class))),
          patch(
              "java.io.FileInputStream",
              "read",
              null,
              () ->
                  before(code ->
                      code.aload(0)
                          .invokestatic(
                              HookCalls.FILE_HOOK,
                              "reading",
                              MethodTypeDesc.of(
                                  CD_void, ClassDesc.of("java.io.FileInputStream"))))),
          refusedFile("java.io.FileOutputStream", "open", "a FileOutputStream" + ON_DISK),
          patch(
              "java.io.RandomAccessFile",
              "open",
              null,
              () ->
                  before(code ->
                      code.iload(2)
                          .invokestatic(
                              HookCalls.HOOK, "refuseWrites", MethodTypeDesc.of(CD_void, CD_int)))),
          refusedFile("java.io.File", "createNewFile", "File.createNewFile" + ON_DISK),
          refusedFile("java.io.File", "createTempFile", "File.createTempFile" + ON_DISK),
          refusedFile("java.io.File", "delete", "File.delete" + ON_DISK),
          refusedFile("java.io.File", "mkdir", "File.mkdir" + ON_DISK),
          refusedFile("java.io.File", "renameTo", "File.renameTo" + ON_DISK),
          patch(
              "java.lang.Object",
              "wait",
              "(J)V",
              () ->
                  before(code ->
                          code.invokestatic(HookCalls.HOOK, "waiting", MethodTypeDesc.of(CD_void)))
                      .andThen(
                          atEnd(code ->
                              code.invokestatic(
                                  HookCalls.HOOK, "waited", MethodTypeDesc.of(CD_void))))),
          refused(
              "java.nio.channels.spi.AsynchronousChannelProvider",
              "provider",
              "an asynchronous channel"),
          patch(
              "java.util.concurrent.CompletableFuture$DelayedExecutor",
              "*",
              null,
              () -> afterRead("ASYNC_POOL", "pool", MethodTypeDesc.of(POOL, POOL))),
          patch("java.util.ImmutableCollections$Set12", "*", null, JdkPatches::ordered),
          patch("java.util.ImmutableCollections$SetN", "*", null, JdkPatches::ordered),
          patch("java.util.ImmutableCollections$SetN$SetNIterator", "*", null, JdkPatches::ordered),
          patch("java.util.ImmutableCollections$MapN$MapNIterator", "*", null, JdkPatches::ordered),
          patch(
              "java.net.Socket",
              "*",
              null,
              () -> afterRead("factory", "socketFactory", MethodTypeDesc.of(FACTORY, FACTORY))),
          patch(
              "java.net.ServerSocket",
              "*",
              null,
              () ->
                  afterRead("factory", "serverSocketFactory", MethodTypeDesc.of(FACTORY, FACTORY))),
          patch(
              "java.net.InetAddress",
              "getAllByName0",
              "(Ljava/lang/String;Z)[Ljava/net/InetAddress;",
              () -> returnIfKnown("addresses", MethodTypeDesc.of(ADDRESS.arrayType(), CD_String))),
          patch(
              "java.net.InetAddress",
              "getHostFromNameService",
              null,
              () -> returnIfKnown("nameOf", MethodTypeDesc.of(CD_String, ADDRESS))),
          patch(
              "java.net.InetAddress",
              "getLocalHost",
              null,
              () -> returnIfKnown("localHost", MethodTypeDesc.of(ADDRESS))),
          patch(
              "java.lang.Runtime",
              "addShutdownHook",
              null,
              () ->
                  returnIf(
                      "addShutdownHook",
                      MethodTypeDesc.of(CD_boolean, RUNTIME, THREAD),
                      TypeKind.VOID)),
          patch(
              "java.sql.DriverManager",
              "*",
              null,
              () -> afterRead("registeredDrivers", "drivers", MethodTypeDesc.of(LIST, LIST))),
          patch(
              "java.sql.DriverManager",
              "ensureDriversInitialized",
              null,
              () -> returnIf("loadDrivers", MethodTypeDesc.of(CD_boolean), TypeKind.VOID)),
          patch(
              "java.nio.channels.spi.SelectorProvider",
              "provider",
              null,
              () -> result("provider", MethodTypeDesc.of(PROVIDER, PROVIDER))),
          patch(
              "java.security.SecureRandom",
              "nextBytes",
              null,
              () ->
                  before(code ->
                      code.aload(1)
                          .invokestatic(
                              HookCalls.HOOK, "randomBytes", MethodTypeDesc.of(CD_boolean, BYTES))
                          .ifThen(then -> then.return_()))),
          patch(
              "java.security.SecureRandom",
              "generateSeed",
              null,
              () -> result("seedBytes", MethodTypeDesc.of(BYTES, BYTES))));

  /// All of them. Without one of these a JDK cannot be simulated.
  static final List<MethodPatch> ALL =
      Stream.concat(
              OTHERS.stream(),
              GENERATORS.stream()
                  .map(each ->
                      patch("jdk.internal.random." + each, "*", null, JdkPatches::seedsOfProgram)))
          .toList();

  private JdkPatches() {}

  private static MethodPatch patch(
      String type, String method, @Nullable String descriptor, Supplier<CodeTransform> change) {
    return new MethodPatch(type, method, descriptor, change);
  }

  /// A method that a program must not call.
  ///
  /// @param what it asks for
  private static MethodPatch refused(String type, String method, String what) {
    return refusedBy("refuse", type, method, what);
  }

  /// A method by which a program must not change a file of the computer.
  ///
  /// @param what it asks for
  private static MethodPatch refusedFile(String type, String method, String what) {
    return refusedBy("refuseFile", type, method, what);
  }

  private static MethodPatch refusedBy(String hook, String type, String method, String what) {
    return patch(
        type,
        method,
        null,
        () ->
            before(code ->
                code.loadConstant(what)
                    .invokestatic(HookCalls.HOOK, hook, MethodTypeDesc.of(CD_void, CD_String))));
  }

  private static CodeTransform result(String hook, MethodTypeDesc type) {
    return beforeReturn(code -> code.invokestatic(HookCalls.HOOK, hook, type));
  }

  private static CodeTransform seedsOfProgram() {
    MethodTypeDesc type = MethodTypeDesc.of(SEEDS, SEEDS);
    return afterRead("defaultGen", "seeds", type)
        .andThen(afterRead("DEFAULT_GEN", "seeds", type)); // of Xoshiro256PlusPlus
  }

  private static CodeTransform commonPool() {
    return afterRead("common", "pool", MethodTypeDesc.of(POOL, POOL));
  }

  /// The order of sets and maps that are immutable, which is another one in each JVM.
  private static CodeTransform ordered() {
    return (code, element) -> {
      if (MethodPatch.isRead(element, "REVERSE")) {
        code.iconst_0();
      } else if (MethodPatch.isRead(element, "SALT32L")) {
        code.lconst_0();
      } else {
        code.with(element);
      }
    };
  }
}
