package dev.rondo.scheduler.testing;

/// What [PinnedFrame] defines.
final class PinnedFrameTemplate {

  static {
    PinnedFrame.code.run();
  }

  private PinnedFrameTemplate() {}
}
