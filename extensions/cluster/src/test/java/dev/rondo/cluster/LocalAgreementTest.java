package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/// A node that is alone agrees with itself, and keeps that on its disk.
final class LocalAgreementTest extends ClusterRig implements AgreementContract {

  @TempDir Path folder;

  @Override
  public void inAllParts(Code code) throws Exception {
    ClusterLimits limits = ClusterLimits.USUAL.with(Time.LEASE, TTL);
    Node node = node(ClusterConfig.of("a").keptIn(folder).limited(limits));
    node.join();
    node.run(() -> {
      var parts =
          IntStream.range(0, PARTS)
              .mapToObj(i -> new Part(i, i == 0, node.scheduler, node.cluster))
              .map(part -> node.scheduler.spawn("part " + part.index(), () -> part.run(code)))
              .toList();
      parts.forEach(each -> each.join());
    });
  }
}
