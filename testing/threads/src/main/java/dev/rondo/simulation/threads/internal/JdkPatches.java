package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.border;
import static dev.rondo.simulation.threads.internal.HookMethod.hook;
import static dev.rondo.simulation.threads.internal.MethodPatch.afterCall;
import static dev.rondo.simulation.threads.internal.MethodPatch.atEnd;
import static dev.rondo.simulation.threads.internal.MethodPatch.before;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.inPlaceOf;
import static dev.rondo.simulation.threads.internal.MethodPatch.insteadOfCall;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static dev.rondo.simulation.threads.internal.MethodPatch.result;
import static dev.rondo.simulation.threads.internal.MethodPatch.resultOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIf;
import static dev.rondo.simulation.threads.internal.MethodPatch.returnIfKnown;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.stream.Stream;

/// The methods of the JDK that are changed, besides their calls of clocks.
final class JdkPatches {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc STATE = ClassDesc.of("java.lang.Thread$State");
  private static final ClassDesc STACK = ClassDesc.of("java.lang.StackTraceElement").arrayType();
  private static final ClassDesc METHOD_TYPE = ClassDesc.of("java.lang.invoke.MethodType");

  private static final List<MethodPatch> OF_THREADS =
      List.of(
          patch(
              "java.lang.Thread",
              "<init>",
              afterCall("isDaemon", hook("inheritsDaemon", CD_boolean, CD_boolean))),
          patch(
              "java.lang.Thread",
              "start",
              "()V",
              insteadOfCall("start0", hook("start", CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "start",
              "(Ljdk/internal/vm/ThreadContainer;)V",
              insteadOfCall("start0", hook("start", CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "alive",
              "()Z",
              resultOn(hook("alive", CD_boolean, CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "getStackTrace",
              "()[Ljava/lang/StackTraceElement;",
              returnIfKnown(hook("stackTrace", STACK, THREAD))),
          patch("java.lang.Thread", "threadState", resultOn(hook("state", STATE, STATE, THREAD))),
          patch(
              "java.lang.Thread",
              "interrupt",
              "()V",
              returnIf(hook("interrupt", CD_boolean, THREAD))),
          patch(
              "java.lang.Thread",
              "isInterrupted",
              "()Z",
              resultOn(hook("interrupted", CD_boolean, CD_boolean, THREAD))),
          patch(
              "java.lang.VirtualThread",
              "interrupt",
              "()V",
              beforeOn(border("reached", CD_void, THREAD))),
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
              inPlaceOf(0, hook("unparked", THREAD, THREAD))),
          patch(
              "java.lang.VirtualThread",
              "compareAndSetOnWaitingList",
              before(hook("unblocking", CD_void))),
          patch("java.lang.VirtualThread", "unblock", "()V", result(hook("unblocked", CD_void))),
          patch("java.lang.VirtualThread", "parkOnCarrierThread", before(hook("pinned", CD_void))),
          patch(
              "java.lang.ThreadBuilders",
              "newVirtualThread",
              afterCall("isSupported", hook("continuations", CD_boolean, CD_boolean))),
          patch(
              "java.lang.Object",
              "wait",
              "(J)V",
              beforeOn(hook("waiting", CD_void, CD_Object)).and(atEnd(hook("waited", CD_void)))));

  /// Identity hash codes are all equal. The JDK has one table of the types of methods, whose hash
  /// codes are made of those of classes, and asks it whenever code is linked.
  private static final MethodPatch OF_METHOD_TYPES =
      patch(
          "java.lang.invoke.MethodType",
          "hashCode",
          resultOn(hook("hashOf", CD_int, CD_int, METHOD_TYPE)));

  /// All of them. Without one of these a JDK cannot be simulated.
  static final List<MethodPatch> ALL =
      Stream.of(
              OF_THREADS,
              List.of(OF_METHOD_TYPES),
              BorderPatches.ALL,
              ProcessPatches.ALL,
              StaticPatches.ALL,
              HostPatches.ALL,
              ChancePatches.ALL)
          .flatMap(List::stream)
          .toList();

  private JdkPatches() {}
}
