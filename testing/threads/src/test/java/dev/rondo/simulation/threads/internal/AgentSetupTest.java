package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Writes;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// What becomes of programs if the JVM does not let the agent change a class.
final class AgentSetupTest {

  private Object jvm = "";
  private Object detects = "";

  private static Field field(String name) throws NoSuchFieldException {
    Field found = AgentSetup.class.getDeclaredField(name);
    found.setAccessible(true);
    return found;
  }

  @BeforeEach
  void refuse() throws ReflectiveOperationException {
    jvm = Objects.requireNonNull(field("instrumentation").get(null));
    detects = Objects.requireNonNull(field("detects").get(null));
    Object refusing =
        Proxy.newProxyInstance(
            AgentSetupTest.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (_, method, arguments) -> {
              if (method.getName().equals("retransformClasses")) {
                throw new UnmodifiableClassException("refused");
              }
              try {
                return method.invoke(jvm, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    field("instrumentation").set(null, refusing);
    field("detects").set(null, false);
  }

  @AfterEach
  void allow() throws ReflectiveOperationException {
    field("instrumentation").set(null, jvm);
    field("detects").set(null, detects);
  }

  @Test
  void detect_thatFails_failsAgain() {
    failsTwice(AgentSetup::detect);
  }

  @Test
  void race_thatFails_failsAgain() {
    String loaded = Writes.class.getName();
    failsTwice(() -> AgentSetup.race(List.of(loaded)));
  }

  private static void failsTwice(Executable code) {
    for (int i = 0; i < 2; i++) {
      String said = assertThrows(IllegalStateException.class, code).getMessage();
      assertTrue(said.contains("refused"), said);
    }
  }
}
