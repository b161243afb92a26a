package dev.rondo.simulation.internal.disk;

/// What a name stands for: an inode.
abstract sealed class Node permits DirectoryNode, FileNode, LinkNode {

  /// How many names it has now.
  private int names;

  void named() {
    names++;
  }

  void unnameAll() {
    names = 0;
  }

  /// {@return whether that was the last name}
  boolean unnamed() {
    return --names == 0;
  }
}
