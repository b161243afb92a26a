package dev.rondo.scheduler.testing;

/// The class that [PinnedFrame] defines.
final class PinnedFrameTemplate {

  static {
    PinnedFrame.code.run();
  }

  private PinnedFrameTemplate() {}
}
