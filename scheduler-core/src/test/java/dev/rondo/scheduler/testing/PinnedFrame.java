package dev.rondo.scheduler.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// Runs code in a class initializer, which a native frame of the virtual machine calls: on a stack
/// that cannot be left.
final class PinnedFrame {

  /// Handed from [#run] to the initializer below. Tests run one at a time.
  static Runnable code = () -> {};

  private PinnedFrame() {}

  /// A class is initialized once, so this one is defined anew for each run.
  static void run(Runnable pinned) {
    code = pinned;
    try (InputStream bytes = PinnedFrame.class.getResourceAsStream("PinnedFrameTemplate.class")) {
      MethodHandles.lookup().defineHiddenClass(Objects.requireNonNull(bytes).readAllBytes(), true);
    } catch (IOException | IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
