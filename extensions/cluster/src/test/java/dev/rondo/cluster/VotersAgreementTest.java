package dev.rondo.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;

/// Voters agree by JGroups.
final class VotersAgreementTest extends ClusterRig implements AgreementContract {

  private static final List<String> NAMES = List.of("a", "b", "c");

  @TempDir Path folder;

  @Override
  public void inAllParts(Code code) throws Exception {
    var voters = new ArrayList<Node>();
    for (String name : NAMES) {
      List<InetSocketAddress> members =
          voters.isEmpty() ? List.of() : List.of(voters.getFirst().address());
      ClusterConfig config =
          ClusterConfig.of(name)
              .at(anyPort())
              .with(members)
              .withVoters(NAMES, folder.resolve(name))
              .limited(ClusterLimits.USUAL.withLease(TTL));
      Node voter = node(config);
      voter.join();
      voters.add(voter);
    }
    var parts = new ArrayList<CompletableFuture<Void>>();
    for (Node each : voters) {
      var part = new Part(parts.size(), true, each.scheduler, each.cluster);
      parts.add(
          each.begin(() -> {
            part.run(code);
            return null;
          }));
    }
    for (CompletableFuture<Void> each : parts) {
      var _ = result(each);
    }
  }
}
