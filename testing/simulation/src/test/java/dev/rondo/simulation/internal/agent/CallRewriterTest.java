package dev.rondo.simulation.internal.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Programs whose calls are rewritten, loaded by a class loader that does it, with the hook beside
/// them.
final class CallRewriterTest {

  private static final List<String> OUTSIDE =
      List.of(
          "java.lang.System.nanoTime()",
          "java.util.Random.<init>()",
          "java.util.Random.<init>(long)",
          "java.util.UUID.toString()",
          "java.util.List.size()");

  private static final CallTable REPORTED =
      called -> OUTSIDE.contains(called.toString()) ? CallHook::report : null;

  /// Makes each call that a class can make.
  public static final class Calls implements Callable<String> {

    @Override
    public String call() {
      return "" + (System.nanoTime() != 0) + new Random(42).nextInt(10) + List.of(1, 2).size();
    }
  }

  /// Has the same calls as references.
  public static final class References implements Callable<String> {

    @Override
    public String call() {
      LongSupplier clock = System::nanoTime;
      LongFunction<Random> seeded = Random::new;
      Supplier<Random> unseeded = Random::new;
      Function<UUID, String> text = UUID::toString;
      Function<List<Integer>, Integer> size = List::size;
      UUID id = new UUID(1, 2);
      Supplier<String> bound = id::toString;
      return "%s %s %s %s %s %s"
          .formatted(
              clock.getAsLong() != 0,
              seeded.apply(42).nextInt(10),
              unseeded.get() == null,
              text.apply(id),
              size.apply(List.of(1, 2)),
              bound.get());
    }
  }

  /// References in an interface.
  public interface Default extends Callable<String> {

    @Override
    default String call() {
      LongSupplier clock = System::nanoTime;
      return "" + (clock.getAsLong() != 0);
    }
  }

  /// Has them from there.
  public static final class Inherits implements Default {}

  /// Calls a constructor of a superclass, and has frames that must stay right.
  public static final class Branches implements Callable<String> {

    private static final class Own extends Random {
      private static final long serialVersionUID = 1;
    }

    @Override
    public String call() {
      Object made = "none";
      for (int i = 0; i < 2; i++) {
        try {
          made = i == 0 ? new Own() : System.nanoTime() == 0 ? "zero" : List.of();
          if (made instanceof List<?> list && list.size() == 0) {
            throw new IllegalStateException("caught");
          }
        } catch (IllegalStateException e) {
          made = e.getMessage();
        }
      }
      return made.toString();
    }
  }

  /// Calls nothing of the kind.
  public static final class Harmless implements Callable<String> {
    @Override
    public String call() {
      return "nothing";
    }
  }

  private final List<String> reported = new ArrayList<>();

  /// Runs a program, rewritten.
  private String run(Class<? extends Callable<String>> program, boolean mayAddMethods)
      throws Exception {
    var loader = new Rewriting(REPORTED, mayAddMethods);
    CallHook.sink(loader.loadClass(CallHook.NAME), reported::add);
    Class<?> rewritten = loader.loadClass(program.getName());
    assertNotEquals(program, rewritten);
    return String.valueOf(((Callable<?>) rewritten.getConstructor().newInstance()).call());
  }

  @Test
  void calls_areReported_andMade() throws Exception {
    assertEquals("true" + new Random(42).nextInt(10) + "2", run(Calls.class, true));
    assertEquals(
        List.of(
            "java.lang.System.nanoTime()",
            "java.util.Random.<init>(long)",
            "java.util.List.size()"),
        reported);
  }

  @Test
  void references_ofEachKind_areReported_whenTheyAreCalled() throws Exception {
    assertEquals(
        "true %d false %s 2 %<s".formatted(new Random(42).nextInt(10), new UUID(1, 2)),
        run(References.class, true));
    assertEquals(
        List.of(
            "java.lang.System.nanoTime()",
            "java.util.Random.<init>(long)",
            "java.util.Random.<init>()",
            "java.util.UUID.toString()",
            "java.util.List.size()",
            "java.util.UUID.toString()"),
        reported);
  }

  @Test
  void references_ofAClassThatIsLoaded_stay() throws Exception {
    String _ = run(References.class, false);
    assertEquals(List.of(), reported);
  }

  @Test
  void references_ofAnInterface_areReported() throws Exception {
    assertEquals("true", run(Inherits.class, true));
    assertEquals(List.of("java.lang.System.nanoTime()"), reported);
  }

  @Test
  void branchesAndSuperCalls_keepTheirFrames() throws Exception {
    assertEquals("caught", run(Branches.class, true));
    assertEquals(
        List.of(
            "java.util.Random.<init>()", "java.lang.System.nanoTime()", "java.util.List.size()"),
        reported);
  }

  @Test
  void classWithoutSuchCalls_staysAsItIs() throws IOException {
    assertNull(CallRewriter.rewrite(REPORTED, bytesOf(Harmless.class.getName()), true, null));
    assertNotNull(CallRewriter.rewrite(REPORTED, bytesOf(Calls.class.getName()), true, null));
  }

  /// The seam: a table may have a call replaced.
  @Test
  void table_mayReplaceACall() throws Exception {
    CallTable still =
        called ->
            called.toString().equals("java.lang.System.nanoTime()")
                ? (code, replaced) -> code.lconst_0()
                : null;
    var loader = new Rewriting(still, true);
    Class<?> rewritten = loader.loadClass(Default.class.getName());
    assertEquals(
        "false",
        ((Callable<?>) loader.loadClass(Inherits.class.getName()).getConstructor().newInstance())
            .call());
    assertNotEquals(Default.class, rewritten);
  }

  @Test
  void calledMethod_hasTheTextOfTheRules() {
    var called =
        new CalledMethod(
            java.lang.classfile.Opcode.INVOKEVIRTUAL,
            ClassDesc.of("java.util.Map$Entry"),
            "get",
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int.arrayType()),
            false);
    assertEquals("java.util.Map$Entry.get(int[])", called.toString());
  }

  private static byte[] bytesOf(String name) throws IOException {
    try (var in =
        CallRewriterTest.class
            .getClassLoader()
            .getResourceAsStream(name.replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  /// Loads the programs of this test again, rewritten, and the hook.
  private static final class Rewriting extends ClassLoader {

    private final CallTable table;
    private final boolean mayAddMethods;

    Rewriting(CallTable table, boolean mayAddMethods) {
      super(CallRewriterTest.class.getClassLoader());
      this.table = table;
      this.mayAddMethods = mayAddMethods;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      if (name.equals(CallHook.NAME)) {
        byte[] hook = CallHook.bytes();
        return defineClass(name, hook, 0, hook.length);
      }
      return name.startsWith(CallRewriterTest.class.getName())
          ? define(name)
          : super.loadClass(name, resolve);
    }

    private Class<?> define(String name) {
      try {
        byte[] bytes = bytesOf(name);
        byte[] rewritten = CallRewriter.rewrite(table, bytes, mayAddMethods, getParent());
        byte[] used = rewritten == null ? bytes : rewritten;
        return defineClass(name, used, 0, used.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
