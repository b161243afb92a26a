package dev.rondo.scheduler;

/// A declaration that other threads may call into a scheduler, see [Scheduler#keepAlive()].
/// Confined to the scheduler's thread.
public final class KeepAlive implements AutoCloseable {

  private final Loop loop;
  private boolean open = true;

  KeepAlive(Loop loop) {
    this.loop = loop;
    loop.externalWork.expectCaller();
  }

  /// Takes the declaration back. Later calls do nothing.
  @Override
  public void close() {
    loop.loopThread.checkCaller();
    if (open) {
      open = false;
      loop.externalWork.expectCallerNoMore();
      loop.stir();
    }
  }
}
