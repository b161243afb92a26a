package dev.rondo.scheduler.engine.util;

/// A class of a room that the kernel makes. It is named by a string, because the kernel does not
/// depend on rooms.
public enum RoomClass {
  ALL_ROOMS("engine.rooms.AllRooms"),
  HANDOFF("coroutine.handoff.HandoffBackend"),
  STACKS("engine.view.Stacks");

  private final String name;

  RoomClass(String name) {
    this.name = "dev.rondo.scheduler." + name;
  }

  /// {@return a new object of this class}
  ///
  /// @param type that the class extends or implements
  public <T> T make(Class<T> type) {
    try {
      return Class.forName(name).asSubclass(type).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the jar of the scheduler is not complete: " + name, e);
    }
  }
}
