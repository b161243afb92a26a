package dev.rondo.inspector;

import dev.rondo.observe.internal.LoopMonitor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/// Asks several loops a question at the same time, so that all loops that do not answer cost only
/// one patience. Any thread except loop threads.
final class EachLoop {

  private static final Executor NEW_THREAD = Thread::startVirtualThread;

  private EachLoop() {}

  /// {@return the answers, in the order of the loops}
  ///
  /// @param question the question to one loop; runs on a thread of its own, and limits its own time
  static <T> Map<LoopMonitor, T> ask(List<LoopMonitor> loops, Function<LoopMonitor, T> question) {
    var asked = new LinkedHashMap<LoopMonitor, CompletableFuture<T>>();
    for (LoopMonitor each : loops) {
      asked.put(each, CompletableFuture.supplyAsync(() -> question.apply(each), NEW_THREAD));
    }
    var answers = new LinkedHashMap<LoopMonitor, T>();
    asked.forEach((loop, answer) -> answers.put(loop, answer.join()));
    return answers;
  }
}
