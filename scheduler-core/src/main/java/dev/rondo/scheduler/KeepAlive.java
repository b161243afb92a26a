package dev.rondo.scheduler;

/// A declaration that other threads may call into a scheduler, see [Scheduler#keepAlive()].
/// Confined to the scheduler's thread.
public final class KeepAlive implements AutoCloseable {

  private final Loop loop;
  private final ExternalWork work;
  private boolean open = true;

  KeepAlive(Loop loop, ExternalWork work) {
    this.loop = loop;
    this.work = work;
    work.expectCaller();
  }

  /// Takes the declaration back. Later calls do nothing.
  @Override
  public void close() {
    loop.checkCaller();
    if (open) {
      open = false;
      work.expectCallerNoMore();
      loop.stir();
    }
  }
}
