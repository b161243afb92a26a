package dev.rondo.scheduler;

/// A declaration that other threads may call into a scheduler, see
/// [Scheduler#expectOutsideCalls()]. Confined to the scheduler's thread.
public final class OutsideCalls implements AutoCloseable {

  private final Loop loop;
  private boolean open = true;

  OutsideCalls(Loop loop) {
    this.loop = loop;
    loop.outside.expectCaller();
  }

  /// Takes the declaration back. Later calls do nothing.
  @Override
  public void close() {
    loop.owner.checkCaller();
    if (open) {
      open = false;
      loop.outside.expectCallerNoMore();
      loop.stir();
    }
  }
}
