package dev.rondo.cluster.simulation;

import dev.rondo.application.Application;
import dev.rondo.cluster.internal.etcd.EtcdMessage;
import dev.rondo.condition.Cell;
import dev.rondo.grpc.GrpcCalls;
import dev.rondo.grpc.GrpcServer;
import dev.rondo.grpc.GrpcSink;
import dev.rondo.grpc.GrpcSource;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.simulation.WorldHost;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The program of a host that is an etcd of one server: `world.host("etcd", SimulatedEtcd::run)`.
/// Nodes of clusters on other hosts agree by it.
///
/// It speaks as much of etcd's protocol (v3, by gRPC) as a cluster uses: ranges, transactions and
/// watches. Its answers are linearizable, and on the disk of its host before they are sent. So it
/// may be cut off, paused, killed, and lose its power; when its host starts again it has all that
/// it has answered.
///
/// Confined to the thread of its host.
public final class SimulatedEtcd {

  /// The port of etcd, at which it listens.
  public static final int PORT = 2379;

  /// How long it goes on for the nodes that watch when its host is terminated: at the end of a
  /// world they leave.
  private static final Duration LAST = Duration.ofSeconds(1);

  /// How long the connections of nodes that have left may take to be closed.
  private static final Duration CLOSING = Duration.ofMillis(100);

  private final GrpcCalls calls;
  private final EtcdKeys keys;
  private final EtcdLog log;
  private final Application app;

  /// That of the keys, for watches.
  private final Cell<Long> revision;

  /// How many watches there are.
  private final Cell<Integer> watching;

  /// Why nothing is answered any more.
  private @Nullable IOException broken;

  private SimulatedEtcd(Application app, EtcdKeys keys, EtcdLog log) {
    this.app = app;
    this.calls = GrpcCalls.on(app.scheduler());
    this.keys = keys;
    this.log = log;
    this.revision = new Cell<>(app.scheduler(), "revision", keys.revision());
    this.watching = new Cell<>(app.scheduler(), "watches", 0);
  }

  /// Runs until the host is terminated. *Always* a suspension point.
  ///
  /// @param host whose program this is; its disk has the keys, in the folder `etcd`
  /// @throws IOException if the disk or the network of the host fails
  public static void run(WorldHost host) throws IOException {
    run(host, new EtcdKeys(identity(host)));
  }

  /// The same host is the same etcd.
  private static long identity(WorldHost host) {
    return 1L + Integer.toUnsignedLong(host.address().hashCode());
  }

  static void run(WorldHost host, EtcdKeys keys) throws IOException {
    run(host, keys, written -> written.force(true));
  }

  static void run(WorldHost host, EtcdKeys keys, EtcdLog.Force force) throws IOException {
    Application app = host.application();
    try (EtcdLog log = EtcdLog.open(host.disk().path("/etcd"), keys::apply, force)) {
      new SimulatedEtcd(app, keys, log).serve(new InetSocketAddress(host.address(), PORT));
    }
  }

  private void serve(InetSocketAddress address) throws IOException {
    ServerServiceDefinition values =
        ServerServiceDefinition.builder("etcdserverpb.KV")
            .addMethod(
                unary("KV/Range"),
                ServerCalls.asyncUnaryCall((request, to) -> calls.unary(to, () -> range(request))))
            .addMethod(
                unary("KV/Txn"),
                ServerCalls.asyncUnaryCall(
                    (request, to) -> calls.unary(to, () -> transact(request))))
            .build();
    ServerServiceDefinition watches =
        ServerServiceDefinition.builder("etcdserverpb.Watch")
            .addMethod(
                EtcdMessage.method(MethodDescriptor.MethodType.BIDI_STREAMING, "Watch/Watch"),
                ServerCalls.asyncBidiStreamingCall(to -> calls.streaming(to, this::watch)))
            .build();
    try (GrpcServer _ =
        calls.start(calls.serverBuilder(address).addService(values).addService(watches))) {
      try {
        app.await(app.shutdownRequested());
      } finally {
        app.scheduler().shielded(this::awaitLast);
      }
    }
  }

  /// gRPC closes the connections that are left in an order that is not that of the seed.
  private void awaitLast() {
    try {
      app.within(LAST, () -> app.waitFor(() -> watching.get() == 0));
      app.sleep(CLOSING);
    } catch (TimedOutException e) {
      // They learn that it has ended.
    }
  }

  private static MethodDescriptor<EtcdMessage, EtcdMessage> unary(String name) {
    return EtcdMessage.method(MethodDescriptor.MethodType.UNARY, name);
  }

  private void requireWhole() {
    if (broken != null) {
      throw Status.UNAVAILABLE.withDescription("its disk has failed").asRuntimeException();
    }
  }

  private EtcdMessage range(EtcdMessage request) {
    requireWhole();
    EtcdMessage response = keys.range(request);
    if (response == null) {
      throw compacted();
    }
    return response;
  }

  private static StatusRuntimeException compacted() {
    return Status.OUT_OF_RANGE
        .withDescription("etcdserver: mvcc: required revision has been compacted")
        .asRuntimeException();
  }

  private EtcdMessage transact(EtcdMessage request) throws IOException {
    requireWhole();
    boolean holds = keys.holds(request);
    if (holds) {
      try {
        log.append(request);
      } catch (IOException e) {
        broken = e; // what is in the file is not known
        requireWhole();
      }
      keys.apply(request);
      revision.set(keys.revision());
    }
    return new EtcdMessage().with(1, keys.header()).with(2, holds ? 1 : 0);
  }

  private void watch(GrpcSource<EtcdMessage> requests, GrpcSink<EtcdMessage> responses)
      throws IOException {
    Optional<EtcdMessage> request = app.await(requests.receivingOrEnd());
    if (request.isEmpty()) {
      return;
    }
    EtcdMessage created = request.get().message(1);
    String from = created.text(1);
    String end = created.text(2);
    long seen = created.number(3) - 1;
    watching.set(watching.get() + 1);
    try {
      responses.send(new EtcdMessage().with(1, keys.header()).with(3, 1));
      sendEvents(responses, from, end, seen);
    } finally {
      watching.set(watching.get() - 1);
    }
  }

  private void sendEvents(GrpcSink<EtcdMessage> responses, String from, String end, long first) {
    long seen = first;
    while (true) {
      long known = seen;
      app.waitFor(() -> revision.get() > known);
      requireWhole();
      if (keys.isCompacted(seen + 1)) {
        responses.send(new EtcdMessage().with(1, keys.header()).with(4, 1).with(6, "compacted"));
        return;
      }
      List<EtcdMessage> events = keys.eventsAfter(seen, from, end);
      seen = keys.revision();
      if (!events.isEmpty()) {
        EtcdMessage response = new EtcdMessage().with(1, keys.header());
        for (EtcdMessage each : events) {
          var _ = response.with(11, each);
        }
        responses.send(response);
      }
    }
  }
}
