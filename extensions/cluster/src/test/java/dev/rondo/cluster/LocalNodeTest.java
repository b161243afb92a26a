package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.members.ClusterException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node that is alone and keeps in a folder what it has agreed to.
final class LocalNodeTest extends ClusterRig {

  @TempDir Path folder;

  private Node start() throws Exception {
    Node node = node(ClusterConfig.of("a").keptIn(folder));
    node.join();
    return node;
  }

  private static long add(Node node) throws Exception {
    return node.call(() -> node.cluster.counter("c").add(1));
  }

  private Path file() {
    return folder.resolve("agreed");
  }

  private String joinFailure(ClusterConfig config) throws Exception {
    Node node = node(config);
    String message = assertThrows(ClusterException.class, node::join).getMessage();
    String start = "node '%s' cannot join cluster 'rondo': ".formatted(config.node());
    assertTrue(message.startsWith(start), message);
    return message.substring(start.length());
  }

  @Test
  void whatWasAgreedOn_isThereAfterARestart() throws Exception {
    Node first = start();
    assertEquals(1, add(first));
    first.run(() -> first.cluster.register("r", Codec.utf8()).set("kept"));
    long token =
        first.call(() -> {
          try (Lease lease = first.cluster.lease("l").acquire(Duration.ofHours(1))) {
            return lease.token();
          }
        });
    first.close();
    Node second = start();
    assertEquals(2, add(second));
    assertEquals(
        Optional.of("kept"), second.call(() -> second.cluster.register("r", Codec.utf8()).get()));
    second.run(() -> {
      Lease lease = second.cluster.lease("l").acquireIfFree(Duration.ofHours(1)).orElseThrow();
      assertTrue(lease.token() > token);
    });
    second.leave();
    second.join();
    assertEquals(3, add(second));
  }

  /// A process that is killed gives nothing back: its file is copied while it holds the lease.
  @Test
  void aLeaseOfAProcessThatWasKilled_endsByItsTime() throws Exception {
    Node first = start();
    Lease lease = first.call(() -> first.cluster.lease("l").acquire(Duration.ofSeconds(1)));
    long token = first.call(lease::token);
    byte[] kept = Files.readAllBytes(file());
    first.close();
    Files.write(file(), kept);
    Node second = start();
    assertEquals(
        Optional.empty(),
        second.call(() -> second.cluster.lease("l").acquireIfFree(Duration.ofSeconds(1))));
    Lease next = second.call(() -> second.cluster.lease("l").acquire(Duration.ofSeconds(1)));
    assertTrue(second.call(next::token) > token);
  }

  @Test
  void aCopyOfTheFile_takenAtAnyTime_isABackup() throws Exception {
    Node running = start();
    assertEquals(1, add(running));
    Path backup = Files.createDirectory(folder.resolve("backup"));
    var _ = Files.copy(file(), backup.resolve("agreed"));
    assertEquals(2, add(running));
    running.close();
    Node restored = node(ClusterConfig.of("a").keptIn(backup));
    restored.join();
    assertEquals(2, add(restored));
  }

  @Test
  void aStateTakesThePlaceOfManyCommands() throws Exception {
    Node first = start();
    String large = "x".repeat(300_000);
    for (int i = 0; i < 20; i++) {
      String value = large + i;
      first.run(() -> first.cluster.register("r", Codec.utf8()).set(value));
    }
    assertTrue(Files.size(file()) < 3_000_000, () -> file() + " grows");
    first.close();
    Node second = start();
    assertEquals(
        Optional.of(large + 19),
        second.call(() -> second.cluster.register("r", Codec.utf8()).get()));
  }

  /// Each length that a power failure can leave of the last record, and zeros behind it.
  @Test
  void aLastRecordThatIsNotWhole_isCutOff() throws Exception {
    Node first = start();
    assertEquals(1, add(first));
    byte[] before = Files.readAllBytes(file());
    first.run(() -> first.cluster.register("r", Codec.utf8()).set("last"));
    byte[] whole = Files.readAllBytes(file());
    first.close();
    for (int length = before.length; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      for (byte[] left : List.of(part, Arrays.copyOf(part, whole.length))) {
        Files.write(file(), left);
        Node again = start();
        assertEquals(2, add(again));
        again.close();
      }
    }
  }

  /// The name of a folder is in the one above it.
  @Test
  void aFolderThatIsNew_isForcedToTheDisk() throws Exception {
    Path above = folder.resolve("above");
    Path made = above.resolve("made");
    Path events = folder.resolve("events.jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      node(ClusterConfig.of("a").keptIn(made)).join();
      recording.dump(events);
    }
    List<String> forced =
        RecordingFile.readAllEvents(events).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.FileForce"))
            .map(event -> event.getString("path"))
            .toList();
    for (Path each : List.of(folder, above, made)) {
      assertTrue(forced.contains(each.toString()), () -> each + " is not in " + forced);
    }
  }

  @Test
  void damage_isRefused() throws Exception {
    Node first = start();
    for (int i = 1; i < 10; i++) {
      assertEquals(i, add(first));
    }
    first.close();
    byte[] whole = Files.readAllBytes(file());
    int last = whole.length * 3 / 4; // the last commands are those of leaving
    for (int i = 0; i < last; i += 11) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(file(), damaged);
      String reason = joinFailure(ClusterConfig.of("a").keptIn(folder));
      assertTrue(reason.startsWith(file() + " is damaged at byte "), reason);
    }
    Files.write(file(), new byte[0]);
    assertEquals(file() + " has no beginning", joinFailure(ClusterConfig.of("a").keptIn(folder)));
  }

  @Test
  void aFolderThatIsInUse_orAnothers_isRefused() throws Exception {
    Node first = start();
    assertEquals("another node has " + folder, joinFailure(ClusterConfig.of("a").keptIn(folder)));
    first.close();
    assertEquals(
        "%s is that of node 'a' of cluster 'rondo', and not of node 'b' of cluster 'rondo'"
            .formatted(file()),
        joinFailure(ClusterConfig.of("b").keptIn(folder)));
  }

  /// Closing any descriptor of a file ends what a process has locked of it.
  @Test
  void aFolderThatIsInUse_isStillLocked_afterARefusal() throws Exception {
    var _ = start();
    assertEquals("another node has " + folder, joinFailure(ClusterConfig.of("a").keptIn(folder)));
    Path other = Files.createSymbolicLink(folder.resolve("other"), folder);
    assertEquals("another node has " + other, joinFailure(ClusterConfig.of("a").keptIn(other)));
    int result =
        run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            LockProcess.class.getName(),
            folder.resolve("lock").toString());
    assertEquals(1, result);
  }

  @Test
  void notJoined_isRefused() throws Exception {
    Node node = node(ClusterConfig.of("a").keptIn(folder));
    var failure = assertThrows(IllegalStateException.class, () -> add(node));
    assertEquals("node 'a' has not joined: see join()", failure.getMessage());
    node.join();
    assertEquals(Optional.empty(), node.call(() -> node.cluster.address()));
    assertEquals(List.of("a"), names(node.members()));
  }

  @Test
  void aDiskThatIsFull_hasTheNodeLeave_andWhatWasAnsweredIsThere() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString()) == 0,
        "root only can mount a file system");
    try {
      ClusterConfig config = ClusterConfig.of("a").keptIn(disk);
      Node node = node(config);
      node.join();
      assertEquals(1, add(node));
      Path filler = disk.resolve("filler");
      fill(filler);
      String large = "x".repeat(50_000);
      CompletableFuture<Void> lost =
          node.begin(() -> {
            node.cluster.register("r", Codec.utf8()).set(large);
            return null;
          });
      assertThrows(OutcomeUnknownException.class, () -> result(lost));
      assertTrue(
          failures.remove().getMessage().startsWith("node 'a' has left: it cannot write to "));
      Files.delete(filler);
      node.join();
      assertEquals(2, add(node));
      node.close();
    } finally {
      assertEquals(0, run("umount", disk.toString()));
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).start().waitFor();
  }

  private static void fill(Path file) {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      while (true) {
        out.write(new byte[4_096]);
      }
    } catch (IOException e) {
      // No space is left.
    }
  }
}
