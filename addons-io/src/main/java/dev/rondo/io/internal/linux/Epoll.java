package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds out whether this JVM can use Linux's `epoll` directly: it must let this module call the C
/// library, and see the descriptors of the JDK's channels.
public final class Epoll {

  /// The processors for which the constants and structures of [Libc] and [EpollSelector] are
  /// correct.
  private static final List<String> PROCESSORS = List.of("amd64", "aarch64");

  private static final String JDK_CHANNELS = "sun.nio.ch";

  private Epoll() {}

  /// {@return the reason why this JVM cannot use `epoll`; null if it can} If nothing else is
  /// missing, this checks that the C library has all functions, which takes 0.1 to 0.2 s the first
  /// time.
  public static @Nullable String whyNot() {
    String why = whyNot(System.getProperty("os.name"), System.getProperty("os.arch"), Epoll.class);
    return why == null ? whyNotLinked(Libc::link) : why;
  }

  /// @param linking fails if a function is missing
  static @Nullable String whyNotLinked(Runnable linking) {
    try {
      linking.run();
      return null;
    } catch (LinkageError e) {
      return "the C library lacks a function: " + (e.getCause() == null ? e : e.getCause());
    }
  }

  /// @param user a class of the module that is to use it
  static @Nullable String whyNot(String system, String processor, Class<?> user) {
    if (!system.equals("Linux") || !PROCESSORS.contains(processor)) {
      return "it is for Linux on " + PROCESSORS + ": system=" + system + " on " + processor;
    }
    Module module = user.getModule();
    String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    boolean exported = Object.class.getModule().isExported(JDK_CHANNELS, module);
    return exported && module.isNativeAccessEnabled()
        ? null
        : "it requires the JVM flags --add-exports java.base/%s=%s --enable-native-access=%s"
            .formatted(JDK_CHANNELS, name, name);
  }

  /// {@return a selector} Requires that [#whyNot] returns null.
  ///
  /// @throws IOException if the system has no descriptors left; nothing stays open
  public static EpollSelector open() throws IOException {
    return new EpollSelector();
  }
}
