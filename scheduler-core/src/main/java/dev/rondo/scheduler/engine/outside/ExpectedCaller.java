package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.engine.ExternalWork;
import dev.rondo.scheduler.engine.Loop;

/// An open [KeepAlive] of a scheduler. Confined to its thread.
public final class ExpectedCaller implements KeepAlive {

  private final Loop loop;
  private boolean isOpen = true;

  public ExpectedCaller(Loop loop) {
    this.loop = loop;
    loop.checkCaller();
    ExternalWork work = loop.externalWork;
    work.callerExpected();
  }

  @Override
  public void close() {
    loop.checkCaller();
    if (isOpen) {
      isOpen = false;
      ExternalWork work = loop.externalWork;
      work.callerGone();
      loop.wakeIfLent();
    }
  }
}
