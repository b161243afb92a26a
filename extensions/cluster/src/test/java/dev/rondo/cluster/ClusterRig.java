package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.members.Members;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.time.WaitForTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/// Nodes of a cluster in one JVM: each has a scheduler, and a thread that runs it.
@Isolated("the nodes need this machine's processors")
abstract class ClusterRig extends BackendTest {

  /// What takes longer hangs.
  static final Duration HANG = Duration.ofMinutes(4);

  static {
    // What strangers send is logged with traces.
    for (String each : List.of("org.jgroups", "dev.rondo.cluster")) {
      ((Logger) LoggerFactory.getLogger(each)).setLevel(Level.OFF);
    }
  }

  final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final Deque<Node> nodes = new ArrayDeque<>();

  @AfterEach
  void end() throws Exception {
    while (!nodes.isEmpty()) {
      nodes.pop().close();
    }
    assertEquals(List.of(), List.copyOf(failures), "failures that the test did not check");
  }

  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  Node node(ClusterConfig config) throws Exception {
    return node(config, Engines::real);
  }

  Node node(ClusterConfig config, Engine.Maker engines) throws Exception {
    var node = new Node(config, engines);
    nodes.push(node);
    node.ready.get(HANG.toSeconds(), TimeUnit.SECONDS);
    return node;
  }

  /// Founds a cluster.
  Node founder(String name) throws Exception {
    Node node = node(ClusterConfig.of(name).at(anyPort()));
    node.join();
    return node;
  }

  /// A node that knows a member, and has not joined.
  Node acquainted(String name, Node member) throws Exception {
    return node(ClusterConfig.of(name).at(anyPort()).with(List.of(member.address())));
  }

  /// A node and its thread.
  final class Node {

    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final Thread thread;
    Scheduler scheduler;
    WaitForCluster cluster;

    Node(ClusterConfig config, Engine.Maker engines) {
      thread = Thread.ofPlatform().name("node-" + config.node()).start(() -> run(config, engines));
    }

    private void run(ClusterConfig config, Engine.Maker engines) {
      try (Scheduler made =
          builder().failureHandler((where, failure) -> failures.add(failure)).build()) {
        scheduler = made;
        var _ = WaitForTime.on(made);
        cluster = WaitForCluster.on(made, config, engines);
        made.spawn(
            "until the end",
            () -> {
              if (made.await(made.completion(end))) {
                made.stop();
              }
            });
        ready.complete(null);
        made.start();
      } catch (Throwable e) {
        failures.add(e);
        ready.completeExceptionally(e);
      }
    }

    /// Runs code as a task of the node.
    <T> CompletableFuture<T> begin(TaskCall<T, ?> code) {
      var result = new CompletableFuture<T>();
      var _ =
          scheduler.post(() ->
              scheduler.spawn(
                  "test",
                  () -> {
                    try {
                      result.complete(code.call());
                    } catch (Throwable e) {
                      result.completeExceptionally(e);
                    }
                  }));
      return result;
    }

    <T> T call(TaskCall<T, ?> code) throws Exception {
      return result(begin(code));
    }

    void run(TaskAction<?> code) throws Exception {
      var _ =
          call(() -> {
            code.run();
            return null;
          });
    }

    void join() throws Exception {
      run(() -> cluster.join());
    }

    void leave() throws Exception {
      run(() -> cluster.leave());
    }

    InetSocketAddress address() throws Exception {
      return call(() -> cluster.address().orElseThrow());
    }

    Members members() throws Exception {
      return call(() -> cluster.members().get());
    }

    /// Waits until the members are like this.
    void awaitMembers(Predicate<Members> like) throws Exception {
      await(() -> like.test(cluster.members().get()));
    }

    void await(BooleanSupplier predicate) throws Exception {
      run(() -> WaitForCondition.on(scheduler).waitFor(predicate));
    }

    void close() throws Exception {
      end(true);
    }

    /// Ends the task that keeps the node running, and waits for the end of its thread.
    void end(boolean stops) throws Exception {
      end.complete(stops);
      thread.join(HANG);
      assertEquals(Thread.State.TERMINATED, thread.getState(), "the thread of the node");
    }
  }

  static List<String> names(Members members) {
    return members.all().stream().map(Member::name).toList();
  }

  static <T> T result(CompletableFuture<T> future) throws Exception {
    try {
      return future.get(HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    }
  }
}
