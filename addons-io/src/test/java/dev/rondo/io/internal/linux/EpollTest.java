package dev.rondo.io.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.rmi.Remote;
import java.sql.Connection;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JVMs that can use `epoll`. This one can, because the build sets the flags.
class EpollTest {

  @ParameterizedTest
  @ValueSource(strings = {"amd64", "aarch64"})
  void whyNot_linuxWithTheFlags_isNull(String processor) {
    assertNull(Epoll.whyNot("Linux", processor, EpollTest.class));
  }

  @ParameterizedTest
  @CsvSource({"Mac OS X, aarch64", "Windows 11, amd64", "Linux, riscv64"})
  void whyNot_elsewhere_namesTheSystem(String system, String processor) {
    String why = Epoll.whyNot(system, processor, EpollTest.class);
    assertEquals(
        "system=" + system + " on " + processor, why.substring(why.indexOf("system=")), why);
  }

  @Test
  void whyNot_thisJvm_isNull() {
    assertNull(Epoll.whyNot());
  }

  @Test
  void whyNot_callIsMissing_namesIt() {
    assertEquals(
        "the C library lacks a function: java.util.NoSuchElementException: epoll_create1",
        Epoll.whyNotLinked(() -> {
          throw new ExceptionInInitializerError(new NoSuchElementException("epoll_create1"));
        }));
  }

  @Test
  void whyNot_callWasMissingBefore_saysSo() {
    assertEquals(
        "the C library lacks a function: java.lang.NoClassDefFoundError: no Libc",
        Epoll.whyNotLinked(() -> {
          throw new NoClassDefFoundError("no Libc");
        }));
  }

  /// One JVM has neither flag, one may only call the system.
  @ParameterizedTest
  @ValueSource(classes = {Connection.class, Remote.class})
  void whyNot_moduleWithoutTheFlags_saysWhichItNeeds(Class<?> user) {
    String module = user.getModule().getName();
    assertEquals(
        "it requires the JVM flags --add-exports java.base/sun.nio.ch="
            + module
            + " --enable-native-access="
            + module,
        Epoll.whyNot("Linux", "amd64", user));
  }
}
