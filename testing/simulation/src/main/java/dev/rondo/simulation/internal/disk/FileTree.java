package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.disk.NameJournal.Slot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The names of a disk: those that a program sees are Jimfs's, and the journal knows which are not
/// on the medium yet. All paths are Jimfs's.
final class FileTree {

  private static final int MOST_LINKS = 40;

  private final Path top;
  private final DirectoryNode root = new DirectoryNode();
  private final NameJournal journal = new NameJournal();

  /// By Jimfs's key of the file.
  private final Map<Object, Node> nodes = new HashMap<>();

  /// Runs before the second half of a change.
  private final Runnable change;

  /// Receives each change that was made.
  private final Consumer<Supplier<String>> told;

  FileTree(FileSystem cache, Runnable change, Consumer<Supplier<String>> told) {
    this.change = change;
    this.told = told;
    top = cache.getPath("/");
    nodes.put(keyOf(top), root);
  }

  private static Object keyOf(Path path) {
    try {
      return Objects.requireNonNull(attributes(path).fileKey());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /// {@return what a path stands for, links not followed; null for nothing}
  @Nullable Node find(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? nodes.get(keyOf(path)) : null;
  }

  private Node get(Path path) {
    return Objects.requireNonNull(nodes.get(keyOf(path)));
  }

  private Slot slot(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path parent = Objects.requireNonNull(absolute.getParent()).toRealPath();
    return new Slot((DirectoryNode) get(parent), absolute.getFileName().toString());
  }

  /// {@return the path after symbolic links of its last name}
  ///
  /// @throws FileSystemException if there are too many
  static Path follow(Path path) throws IOException {
    Path at = path;
    for (int links = 0; Files.isSymbolicLink(at); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemException(
            path.toString(),
            null,
            "Too many levels of symbolic links or unable to access attributes of symbolic link");
      }
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    return at;
  }

  /// Linux has another failure where a name before the last is of no directory.
  static IOException notADirectory(Path path, NoSuchFileException failure) {
    for (Path at = path.toAbsolutePath().getParent(); at != null; at = at.getParent()) {
      if (Files.exists(at) && !Files.isDirectory(at)) {
        return new FileSystemException(
            failure.getFile(), failure.getOtherFile(), "Not a directory");
      }
    }
    return failure;
  }

  // Changes.

  void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
    Files.createDirectory(path, attributes);
    named(path, new DirectoryNode());
    told.accept(() -> "makes the directory " + path);
  }

  /// Notes a file that has just been created.
  FileNode created(Path path) throws IOException {
    var made = new FileNode();
    named(path, made);
    told.accept(() -> "creates " + path);
    return made;
  }

  void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    Files.createSymbolicLink(link, target, attributes);
    named(link, new LinkNode(target.toString()));
    told.accept(() -> "links " + link + " to " + target);
  }

  void createLink(Path link, Path existing) throws IOException {
    Files.createLink(link, existing);
    named(link, get(link));
    told.accept(() -> "links " + link + " to " + existing);
  }

  private void named(Path path, Node node) throws IOException {
    nodes.put(keyOf(path), node);
    node.named();
    journal.named(slot(path), node);
  }

  void delete(Path path) throws IOException {
    Node node = find(path);
    Object key = node == null ? null : keyOf(path);
    Files.delete(path);
    unnamed(Objects.requireNonNull(node), Objects.requireNonNull(key));
    journal.unnamed(slot(path));
    told.accept(() -> "deletes " + path);
  }

  private void unnamed(Node node, Object key) {
    if (node.unnamed()) {
      nodes.remove(key);
    }
  }

  /// As the JDK on Linux: an existing target is deleted before the move, unless that is to be
  /// atomic.
  void move(Path from, Path to, CopyOption... options) throws IOException {
    List<CopyOption> asked = List.of(options);
    Node moved = find(from);
    Node replaced = find(to);
    if (moved != null && moved == replaced) {
      return;
    }
    if (moved == null || replaced == null) {
      requireOutside(moved, from, to);
      Files.move(from, to, options);
    } else if (asked.contains(StandardCopyOption.ATOMIC_MOVE)) {
      requireOutside(moved, from, to);
      requireSameKind(moved, replaced, from, to);
      Object key = keyOf(to);
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      unnamed(replaced, key);
    } else {
      if (!asked.contains(StandardCopyOption.REPLACE_EXISTING)) {
        throw new FileAlreadyExistsException(to.toString());
      }
      delete(to);
      change.run();
      requireOutside(moved, from, to);
      Files.move(from, to);
    }
    journal.renamed(slot(from), slot(to), Objects.requireNonNull(moved));
    told.accept(() -> "renames " + from + " to " + to);
  }

  private static void requireOutside(@Nullable Node moved, Path from, Path to) throws IOException {
    Path parent = to.toAbsolutePath().getParent();
    if (moved instanceof DirectoryNode
        && parent != null
        && Files.exists(parent)
        && parent.toRealPath().startsWith(from.toRealPath(LinkOption.NOFOLLOW_LINKS))) {
      throw new FileSystemException(from.toString(), to.toString(), "Invalid argument");
    }
  }

  private static void requireSameKind(Node moved, Node replaced, Path from, Path to)
      throws FileSystemException {
    if (moved instanceof DirectoryNode != replaced instanceof DirectoryNode) {
      throw new FileSystemException(
          from.toString(),
          to.toString(),
          replaced instanceof DirectoryNode ? "Is a directory" : "Not a directory");
    }
  }

  /// {@return whether a file was copied, whose content is to be noted}
  boolean copy(Path from, Path to, CopyOption... options) throws IOException {
    List<CopyOption> asked = List.of(options);
    Path source = asked.contains(LinkOption.NOFOLLOW_LINKS) ? from : follow(from);
    Node copied = find(source);
    Node replaced = find(to);
    if (copied != null && copied == replaced) {
      return false;
    }
    if (copied != null && replaced != null && asked.contains(StandardCopyOption.REPLACE_EXISTING)) {
      delete(to);
    }
    Files.copy(from, to, options);
    named(
        to,
        switch (Objects.requireNonNull(copied)) {
          case FileNode _ -> new FileNode();
          case DirectoryNode _ -> new DirectoryNode();
          case LinkNode link -> new LinkNode(link.target());
        });
    told.accept(() -> "copies " + from + " to " + to);
    return copied instanceof FileNode;
  }

  // The medium.

  void force(DirectoryNode directory) {
    journal.force(directory);
  }

  void sync() {
    journal.sync();
    for (Node each : nodes.values()) {
      if (each instanceof FileNode file) {
        file.force();
      }
    }
  }

  /// Makes what a program sees what is left after a power failure.
  ///
  /// @param fates how to draw one for the names, and one for each file
  void losePower(Supplier<Fate> fates, int sectorBytes) throws IOException {
    var attributes = new HashMap<Node, SavedAttributes>();
    save(top, attributes);
    journal.losePower(fates.get());
    clear(top);
    nodes.clear();
    nodes.put(keyOf(top), root);
    var placed = new HashMap<Node, Path>();
    restore(top, root, attributes, placed, fates, sectorBytes);
  }

  private void save(Path directory, Map<Node, SavedAttributes> attributes) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path each : entries) {
        if (!Files.isSymbolicLink(each)) {
          attributes.put(get(each), SavedAttributes.of(each));
        }
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          save(each, attributes);
        }
      }
    }
  }

  private static void clear(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path each : entries) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          clear(each);
        }
        Files.delete(each);
      }
    }
  }

  private void restore(
      Path path,
      DirectoryNode directory,
      Map<Node, SavedAttributes> attributes,
      Map<Node, Path> placed,
      Supplier<Fate> fates,
      int sectorBytes)
      throws IOException {
    for (Map.Entry<String, Node> each : directory.durable().entrySet()) {
      Path name = path.resolve(each.getKey());
      Node node = each.getValue();
      Path existing = placed.putIfAbsent(node, name);
      if (existing != null) {
        Files.createLink(name, existing);
        node.named();
        continue;
      }
      node.unnameAll();
      node.named();
      switch (node) {
        case LinkNode link ->
            Files.createSymbolicLink(name, name.getFileSystem().getPath(link.target()));
        case DirectoryNode child -> {
          Files.createDirectory(name);
          nodes.put(keyOf(name), child);
          restore(name, child, attributes, placed, fates, sectorBytes);
        }
        case FileNode file -> {
          file.losePower(fates.get(), sectorBytes);
          file.durable().writeTo(name);
        }
      }
      nodes.put(keyOf(name), node);
      SavedAttributes saved = attributes.get(node);
      if (saved != null) {
        saved.set(name);
      }
    }
  }
}
