package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a program saw on a disk before a power failure, to compare it with what is left.
final class Losses {

  /// @param content null if all of it was on the medium
  private record Seen(Node node, @Nullable ByteBuffer content) {}

  private final FileTree tree;
  private final Path top;
  private final Map<Path, Seen> before;

  /// The power is about to fail.
  Losses(FileTree tree, Path top) throws IOException {
    this.tree = tree;
    this.top = top;
    before = seen();
  }

  private Map<Path, Seen> seen() throws IOException {
    var seen = new TreeMap<Path, Seen>();
    try (var paths = Files.walk(top)) {
      for (Path each : (Iterable<Path>) paths::iterator) {
        Node node = tree.find(each);
        if (node != null && !each.equals(top)) {
          boolean isUnforced = node instanceof FileNode file && file.isUnforced();
          seen.put(
              each, new Seen(node, isUnforced ? ByteBuffer.wrap(Files.readAllBytes(each)) : null));
        }
      }
    }
    return seen;
  }

  /// The power has failed.
  ///
  /// @param told receives each loss
  void tell(Consumer<? super String> told) throws IOException {
    for (Map.Entry<Path, Seen> each : before.entrySet()) {
      Path path = each.getKey();
      Seen seen = each.getValue();
      Node left = tree.find(path);
      if (left == null) {
        told.accept(path + " is gone");
      } else if (left != seen.node()) {
        told.accept(path + " is the earlier one again");
      } else if (seen.content() != null) {
        tellContent(path, seen.content(), told);
      }
    }
    for (Path each : seen().keySet()) {
      if (!before.containsKey(each)) {
        told.accept(each + " is back");
      }
    }
  }

  private static void tellContent(Path path, ByteBuffer had, Consumer<? super String> told)
      throws IOException {
    byte[] left = Files.readAllBytes(path);
    int same = had.mismatch(ByteBuffer.wrap(left));
    if (same >= 0) {
      String sizes = "%s has %,d of %,d B".formatted(path, left.length, had.limit());
      told.accept(
          same == left.length ? sizes : sizes + ", which differ from byte %,d on".formatted(same));
    }
  }
}
