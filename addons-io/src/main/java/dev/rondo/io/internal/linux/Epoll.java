package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether this JVM can have Linux's `epoll` without the JDK's selector around it: it must let this
/// module call the C library, and see the descriptors of the JDK's channels.
public final class Epoll {

  /// Where the constants and structures of [Libc] and [EpollSelector] were looked up.
  private static final List<String> PROCESSORS = List.of("amd64", "aarch64");

  private static final String JDK_CHANNELS = "sun.nio.ch";

  private Epoll() {}

  /// {@return why this JVM cannot; null if it can} If nothing else is missing it finds out whether
  /// the C library has all calls, which takes 0.1 to 0.2 s at the first time.
  public static @Nullable String whyNot() {
    String why = whyNot(System.getProperty("os.name"), System.getProperty("os.arch"), Epoll.class);
    return why == null ? whyNotLinked(Libc::link) : why;
  }

  /// @param linking fails if a call is not there
  static @Nullable String whyNotLinked(Runnable linking) {
    try {
      linking.run();
      return null;
    } catch (LinkageError e) {
      return "the C library is not as it knows it: " + (e.getCause() == null ? e : e.getCause());
    }
  }

  /// @param user a class of the module that wants to
  static @Nullable String whyNot(String system, String processor, Class<?> user) {
    if (!system.equals("Linux") || !PROCESSORS.contains(processor)) {
      return "it is for Linux on " + PROCESSORS + ": system=" + system + " on " + processor;
    }
    Module module = user.getModule();
    String name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
    boolean exported = Object.class.getModule().isExported(JDK_CHANNELS, module);
    return exported && module.isNativeAccessEnabled()
        ? null
        : "it needs the JVM flags --add-exports java.base/%s=%s --enable-native-access=%s"
            .formatted(JDK_CHANNELS, name, name);
  }

  /// {@return a selector} For [#whyNot] being null.
  ///
  /// @throws IOException if the system has no descriptors left; nothing stays open
  public static EpollSelector open() throws IOException {
    return new EpollSelector();
  }
}
