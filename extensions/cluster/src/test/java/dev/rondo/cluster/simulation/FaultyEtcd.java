package dev.rondo.cluster.simulation;

import dev.rondo.cluster.internal.etcd.EtcdMessage;
import dev.rondo.simulation.WorldHost;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Etcds of a world with a mistake, which a check has to find.
public final class FaultyEtcd {

  private static final long IDENTITY = 1;

  private FaultyEtcd() {}

  /// Its watches miss each thirtieth change.
  public static WorldHost.Main whoseWatchMissesEvents() {
    return host ->
        SimulatedEtcd.run(
            host,
            new EtcdKeys(IDENTITY) {
              @Override
              List<EtcdMessage> eventsAfter(long seen, String from, String end) {
                return revision() % 30 == 0 ? List.of() : super.eventsAfter(seen, from, end);
              }
            });
  }

  /// Its watches have the changes of one answer in the wrong order.
  public static WorldHost.Main whoseWatchIsOutOfOrder() {
    return host ->
        SimulatedEtcd.run(
            host,
            new EtcdKeys(IDENTITY) {
              @Override
              List<EtcdMessage> eventsAfter(long seen, String from, String end) {
                return super.eventsAfter(seen, from, end).reversed();
              }
            });
  }

  /// What it reads is of a while ago.
  public static WorldHost.Main whoseRangesAreStale() {
    return host ->
        SimulatedEtcd.run(
            host,
            new EtcdKeys(IDENTITY) {
              @Override
              @Nullable EtcdMessage range(EtcdMessage request) {
                long asked = request.number(4);
                long stale = Math.max(1, (asked == 0 ? revision() : asked) - 20);
                EtcdMessage found =
                    super.range(
                        new EtcdMessage()
                            .with(1, request.text(1))
                            .with(2, request.text(2))
                            .with(3, request.number(3))
                            .with(4, stale));
                return found;
              }
            });
  }

  /// What deletes several keys comes late: after the next state. That is no mistake.
  public static WorldHost.Main whoseDeletionsComeLate() {
    return host ->
        SimulatedEtcd.run(
            host,
            new EtcdKeys(IDENTITY) {

              private final List<EtcdMessage> late = new ArrayList<>();

              @Override
              void apply(EtcdMessage transaction) throws IOException {
                EtcdMessage first = transaction.messages(2).getFirst();
                if (first.has(3) && first.message(3).has(2)) {
                  late.add(transaction);
                  return;
                }
                super.apply(transaction);
                if (first.has(2) && first.message(2).text(1).endsWith("/h")) {
                  for (EtcdMessage each : late) {
                    super.apply(each);
                  }
                  late.clear();
                }
              }
            });
  }

  /// It refuses to write while it has no space. That is no mistake.
  ///
  /// @param read runs at each range
  public static WorldHost.Main withSpaceWhile(BooleanSupplier hasSpace, Runnable read) {
    return host ->
        SimulatedEtcd.run(
            host,
            new EtcdKeys(IDENTITY) {
              @Override
              boolean holds(EtcdMessage transaction) throws IOException {
                if (!hasSpace.getAsBoolean() && transaction.messages(2).getFirst().has(2)) {
                  throw Status.RESOURCE_EXHAUSTED
                      .withDescription("etcdserver: mvcc: database space exceeded")
                      .asRuntimeException();
                }
                return super.holds(transaction);
              }

              @Override
              @Nullable EtcdMessage range(EtcdMessage request) {
                read.run();
                return super.range(request);
              }
            });
  }

  /// It answers before what it has written is on the disk.
  public static WorldHost.Main thatForcesNothing() {
    return host -> SimulatedEtcd.run(host, new EtcdKeys(IDENTITY), channel -> {});
  }
}
