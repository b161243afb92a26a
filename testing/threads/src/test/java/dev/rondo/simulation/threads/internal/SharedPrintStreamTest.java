package dev.rondo.simulation.threads.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// The stream that passes on what is printed.
final class SharedPrintStreamTest {

  /// A method of a later JDK, too, has to be passed on.
  @Test
  void methods_areAllPassedOn() {
    List<String> missing =
        Arrays.stream(PrintStream.class.getMethods())
            .filter(each -> each.getDeclaringClass() != Object.class)
            .filter(each -> !Modifier.isStatic(each.getModifiers()))
            .filter(each -> !isDeclared(each))
            .map(Method::toString)
            .toList();
    assertEquals(List.of(), missing);
  }

  private static boolean isDeclared(Method method) {
    return Arrays.stream(SharedPrintStream.class.getDeclaredMethods())
        .anyMatch(each ->
            each.getName().equals(method.getName())
                && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()));
  }

  @Test
  void methods_passOnTheirArguments() throws Exception {
    var expected = new ByteArrayOutputStream();
    var passed = new ByteArrayOutputStream();
    var real = new PrintStream(passed, false, UTF_8);
    printAll(new PrintStream(expected, false, UTF_8));
    var shared = new SharedPrintStream(real, program -> real);
    printAll(shared);
    assertEquals(expected.toString(UTF_8), passed.toString(UTF_8));
    assertSame(UTF_8, shared.charset());
    assertSame(shared, shared.append('x').printf("%s", "y").format("z"));
  }

  private static void printAll(PrintStream to) throws Exception {
    for (Method each : PrintStream.class.getMethods()) {
      if (each.getName().startsWith("print") && each.getParameterCount() == 1) {
        Object argument = argument(each.getParameterTypes()[0]);
        each.invoke(to, argument);
      }
    }
    to.println();
    to.write('w');
    to.write(new byte[] {'a', 'b'});
    to.write(new byte[] {'a', 'b', 'c'}, 1, 2);
    to.writeBytes(new byte[] {'d'});
    to.printf("%d", 1).printf(Locale.ROOT, "%d", 2);
    to.format("%d", 3).format(Locale.ROOT, "%d", 4);
    to.append("text").append("text", 1, 2).append('c');
    to.flush();
  }

  private static Object argument(Class<?> type) {
    return switch (type.getName()) {
      case "boolean" -> true;
      case "char" -> 'c';
      case "int" -> 7;
      case "long" -> 8L;
      case "float" -> 1.5f;
      case "double" -> 2.5;
      case "[C" -> new char[] {'x', 'y'};
      default -> "text";
    };
  }
}
