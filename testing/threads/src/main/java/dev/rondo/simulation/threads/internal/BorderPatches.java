package dev.rondo.simulation.threads.internal;

import static dev.rondo.simulation.threads.internal.HookMethod.border;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeOnField;
import static dev.rondo.simulation.threads.internal.MethodPatch.beforeThrowOn;
import static dev.rondo.simulation.threads.internal.MethodPatch.patch;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The methods of the JDK by which a simulated thread may wait for one that is not simulated, or
/// give work to it, and by which that one may end such a wait.
///
/// Most of them release what threads wait for. If no thread waits any more, they leave nothing that
/// could be noticed elsewhere. So for each class whose objects are waited for there is a row of its
/// releasing methods: methods that another thread calls, in whatever state the object is.
final class BorderPatches {

  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc PROCESS = ClassDesc.of("java.lang.Process");
  private static final ClassDesc THREAD_POOL =
      ClassDesc.of("java.util.concurrent.ThreadPoolExecutor");
  private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ForkJoinPool");
  private static final ClassDesc FUTURE = ClassDesc.of("java.util.concurrent.CompletableFuture");
  private static final ClassDesc BARRIER = ClassDesc.of("java.util.concurrent.CyclicBarrier");
  private static final ClassDesc CONDITION = ClassDesc.of("java.util.concurrent.locks.Condition");
  private static final ClassDesc TIMER = ClassDesc.of("java.util.Timer");

  private static final String CONCURRENT = "java.util.concurrent.";
  private static final String LOCKS = CONCURRENT + "locks.";

  private static final HookMethod RELEASED = border("released", CD_void, CD_Object);
  private static final HookMethod ENDED = border("endedAtLimit", CD_void, CD_Object);

  private static final List<MethodPatch> OF_WAITS =
      List.of(
          patch("java.lang.Thread", "join", beforeOn(border("joining", CD_void, THREAD))),
          patch("java.lang.ProcessImpl", "waitFor", beforeOn(border("awaiting", CD_void, PROCESS))),
          patch(
              CONCURRENT + "ThreadPoolExecutor",
              "awaitTermination",
              beforeOn(border("awaiting", CD_void, THREAD_POOL))),
          patch(
              CONCURRENT + "ForkJoinPool",
              "awaitTermination",
              beforeOn(border("awaiting", CD_void, POOL))),
          patch(
              CONCURRENT + "ForkJoinPool",
              "awaitQuiescence",
              beforeOn(border("awaiting", CD_void, POOL))),
          patch(CONCURRENT + "CompletableFuture", "timedGet", beforeThrowOn(ENDED)),
          patch(
              CONCURRENT + "CompletableFuture$Timeout",
              "run",
              beforeOnField(
                  ClassDesc.of(CONCURRENT + "CompletableFuture$Timeout"), "f", FUTURE, ENDED)));

  /// Of a pool or a timer whose threads are from outside of the simulation.
  private static final List<MethodPatch> OF_WORK =
      List.of(
          patch(
              CONCURRENT + "ThreadPoolExecutor",
              "execute",
              beforeOn(border("submitting", CD_void, THREAD_POOL))),
          patch(
              CONCURRENT + "ScheduledThreadPoolExecutor",
              "delayedExecute",
              beforeOn(border("submitting", CD_void, THREAD_POOL))),
          patch(
              CONCURRENT + "ForkJoinPool",
              "poolSubmit",
              beforeOn(border("submitting", CD_void, POOL))),
          patch(
              CONCURRENT + "ForkJoinPool",
              "externalSubmit",
              beforeOn(border("submitting", CD_void, POOL))),
          patch(
              CONCURRENT + "ForkJoinPool",
              "scheduleDelayedTask",
              beforeOn(border("submitting", CD_void, POOL))),
          patch(
              "java.util.Timer",
              "sched",
              beforeOnField(
                  TIMER,
                  "thread",
                  ClassDesc.of("java.util.TimerThread"),
                  border("submitting", CD_void, THREAD))));

  private static final List<MethodPatch> OF_RELEASES =
      Stream.of(
              releases(LOCKS + "AbstractQueuedSynchronizer", "release", "releaseShared"),
              releases(LOCKS + "AbstractQueuedSynchronizer$ConditionObject", "signal", "signalAll"),
              releases(LOCKS + "AbstractQueuedLongSynchronizer", "release", "releaseShared"),
              releases(
                  LOCKS + "AbstractQueuedLongSynchronizer$ConditionObject", "signal", "signalAll"),
              releases(
                  LOCKS + "StampedLock",
                  "releaseWrite",
                  "unlockRead",
                  "unlock",
                  "tryUnlockRead",
                  "unstampedUnlockRead",
                  "tryConvertToReadLock",
                  "tryConvertToOptimisticRead"),
              // A future may have ended at the limit, or be cancelled, when its code runs.
              releases(CONCURRENT + "CompletableFuture", "postComplete", "postFire"),
              releases(
                  CONCURRENT + "FutureTask",
                  "run",
                  "runAndReset",
                  "set",
                  "setException",
                  "finishCompletion"),
              releases(
                  CONCURRENT + "ForkJoinTask",
                  "doExec",
                  "setDone",
                  "trySetThrown",
                  "trySetCancelled"),
              releases(CONCURRENT + "LinkedTransferQueue", "xfer"),
              releases(CONCURRENT + "SynchronousQueue$Transferer", "xferLifo"),
              releases(CONCURRENT + "Exchanger", "exchange"),
              releases(CONCURRENT + "Phaser", "releaseWaiters"),
              releases(CONCURRENT + "SubmissionPublisher$BufferedSubscription", "takeItems"),
              releases("java.io.PipedInputStream", "receive", "receivedLast"),
              releases("java.io.PipedReader", "receive", "receivedLast"),
              // It is broken at the limit of a wait, and signals nothing then.
              Stream.of(
                  patch(
                      CONCURRENT + "CyclicBarrier",
                      "dowait",
                      beforeOnField(BARRIER, "trip", CONDITION, RELEASED))))
          .flatMap(each -> each)
          .toList();

  /// All of them.
  static final List<MethodPatch> ALL =
      Stream.of(OF_WAITS, OF_WORK, OF_RELEASES).flatMap(List::stream).toList();

  private BorderPatches() {}

  /// {@return the changes of the methods that release an object}
  private static Stream<MethodPatch> releases(String type, String... methods) {
    return Arrays.stream(methods).map(each -> patch(type, each, beforeOn(RELEASED)));
  }
}
