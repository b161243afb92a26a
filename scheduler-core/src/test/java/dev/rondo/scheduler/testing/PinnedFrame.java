package dev.rondo.scheduler.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// Runs code in a class initializer, which a native frame of the JVM calls: on a stack that cannot
/// be left. For tests of what happens when a task tries to suspend there. One at a time.
public final class PinnedFrame {

  /// Passed from [#run] to the initializer of the template.
  static Runnable code = () -> {};

  private PinnedFrame() {}

  /// Runs code under a native frame.
  ///
  /// @param pinned must not throw
  public static void run(Runnable pinned) {
    code = pinned; // a class is initialized once, so each run defines the template again
    try (InputStream bytes = PinnedFrame.class.getResourceAsStream("PinnedFrameTemplate.class")) {
      MethodHandles.lookup().defineHiddenClass(Objects.requireNonNull(bytes).readAllBytes(), true);
    } catch (IOException | IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
