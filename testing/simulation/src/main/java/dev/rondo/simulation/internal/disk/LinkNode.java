package dev.rondo.simulation.internal.disk;

/// A symbolic link. Its target is as durable as its name.
final class LinkNode extends Node {

  private final String target;

  LinkNode(String target) {
    this.target = target;
  }

  String target() {
    return target;
  }
}
