package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.KeepAlive;

/// The implementation of [KeepAlive].
public final class KeepAliveCore extends KeepAlive {

  private final Loop loop;
  private final ExternalWork work;
  private boolean open = true;

  KeepAliveCore(Loop loop, ExternalWork work) {
    this.loop = loop;
    this.work = work;
    work.expectCaller();
  }

  @Override
  public void close() {
    loop.checkCaller();
    if (open) {
      open = false;
      work.expectCallerNoMore();
      loop.wakeIfLent();
    }
  }
}
