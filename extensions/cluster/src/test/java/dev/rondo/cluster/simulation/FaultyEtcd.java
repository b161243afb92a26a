package dev.rondo.cluster.simulation;

import dev.rondo.cluster.internal.etcd.EtcdMessage;
import dev.rondo.simulation.WorldHost;
import java.util.List;
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

  /// It answers before what it has written is on the disk.
  public static WorldHost.Main thatForcesNothing() {
    return host -> SimulatedEtcd.run(host, new EtcdKeys(IDENTITY), channel -> {});
  }
}
