package dev.rondo.benchmarks.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class CallAgentTest {

  private static final String TOY = "CallAgentTest.Toy.";

  /// A class with calls of every kind. Its static methods are the cases.
  static class Toy implements Callable<String>, Comparable<Toy> {

    private static final List<Integer> INITIALIZED = List.of(1, 2);

    private final int number;

    Toy(int number) {
      this.number = number;
    }

    static void empty() {}

    static int factorial(int n) {
      return n < 2 ? 1 : n * factorial(n - 1);
    }

    static Toy made() {
      return new Toy(1);
    }

    static Toy madeOfSubclass() {
      return new Toy(1) {};
    }

    static Supplier<Integer> lambda() {
      Supplier<Integer> lambda = () -> factorial(1);
      return lambda.get() == 1 ? lambda : () -> 0;
    }

    /// Through the bridge methods of both interfaces.
    static int bridges() throws Exception {
      Callable<?> called = new Toy(1);
      Comparable<Toy> compared = new Toy(2);
      return compared.compareTo(new Toy(3)) < 0 ? called.call().toString().length() : 0;
    }

    static void library() {
      var _ = INITIALIZED.stream().sorted().toList();
    }

    static void fails() {
      throw new IllegalStateException(Integer.toString(factorial(2)));
    }

    @Override
    public String call() {
      return "called";
    }

    @Override
    public int compareTo(Toy other) {
      return number - other.number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Toy toy && number == toy.number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  /// Loads instrumented copies of the toy and its nested classes.
  private static final class Instrumenting extends ClassLoader {

    Instrumenting() {
      super(Toy.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(Toy.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] instrumented = CallAgent.instrumented(file.readAllBytes());
        return defineClass(name, instrumented, 0, instrumented.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final ClassLoader loader = new Instrumenting();

  private Recording recording;

  /// A static method of the instrumented toy, which is in a runtime package of its own.
  private Method toy(String name, Class<?>... parameters) throws ReflectiveOperationException {
    Method method =
        Class.forName(Toy.class.getName(), true, loader).getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }

  private Recording recorded(Method called, Object... arguments) throws Exception {
    CallLog.begin(true);
    try {
      called.invoke(null, arguments);
    } finally {
      recording = CallLog.end();
    }
    return recording;
  }

  private Recording recorded(String name) throws Exception {
    return recorded(toy(name));
  }

  private static String lines(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void entered_emptyMethod_isOneCall() throws Exception {
    assertEquals(lines(TOY + "empty"), recorded("empty").tree());
  }

  @Test
  void entered_recursion_isACallEachTime() throws Exception {
    Recording all = recorded(toy("factorial", int.class), 3);

    assertEquals(3, all.size());
    assertEquals(
        lines(TOY + "factorial  3", "  " + TOY + "factorial  2", "    " + TOY + "factorial"),
        all.tree());
  }

  @Test
  void entered_constructor_isACall() throws Exception {
    assertEquals(lines(TOY + "made  2", "  new CallAgentTest.Toy"), recorded("made").tree());
  }

  @Test
  void entered_constructorOfSubclass_isOneAndThatOfItsSuperclassAnother() throws Exception {
    Recording all = recorded("madeOfSubclass");

    assertEquals(
        lines(
            TOY + "madeOfSubclass  3", "  new CallAgentTest.Toy.1  2", "    new CallAgentTest.Toy"),
        all.tree());
    assertEquals(1, all.classes());
  }

  @Test
  void entered_lambda_isACall() throws Exception {
    assertEquals(
        lines(TOY + "lambda  3", "  " + TOY + "lambda (lambda)  2", "    " + TOY + "factorial"),
        recorded("lambda").tree());
  }

  @Test
  void entered_bridgeMethod_isNoCall() throws Exception {
    assertEquals(
        lines(
            TOY + "bridges  6",
            "  new CallAgentTest.Toy",
            "  new CallAgentTest.Toy",
            "  new CallAgentTest.Toy",
            "  " + TOY + "compareTo",
            "  " + TOY + "call"),
        recorded("bridges").tree());
  }

  @Test
  void entered_methodOfTheJdk_isNoCall() throws Exception {
    assertEquals(lines(TOY + "library"), recorded("library").tree());
  }

  @Test
  void entered_methodThatThrows_isACall() {
    assertThrows(Exception.class, () -> recorded("fails"));

    assertEquals(
        lines(TOY + "fails  3", "  " + TOY + "factorial  2", "    " + TOY + "factorial"),
        recording.tree());
  }

  @Test
  void entered_notRecording_isForgotten() throws Exception {
    recorded(toy("factorial", int.class), 3);
    toy("empty").invoke(null);

    assertEquals(lines(TOY + "empty"), recorded("empty").tree());
  }

  @Test
  void entered_withoutDepth_isFlat() throws Exception {
    Method made = toy("made");
    CallLog.begin(false);
    made.invoke(null);

    assertEquals(lines(TOY + "made", "new CallAgentTest.Toy"), CallLog.end().tree());
  }
}
