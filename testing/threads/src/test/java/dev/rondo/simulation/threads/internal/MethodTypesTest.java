package dev.rondo.simulation.threads.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.acme.threads.Started;
import dev.rondo.application.internal.FreshClassLoader;
import java.lang.invoke.MethodType;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The table of the types of methods, in a JVM whose identity hash codes are all equal.
final class MethodTypesTest {

  @Test
  void hashCodes_ofTypesOfOtherClasses_differ() {
    assertEquals(System.identityHashCode("one"), System.identityHashCode("other"));
    Set<Integer> hashes = new HashSet<>();
    hashes.add(MethodType.methodType(int.class, String.class).hashCode());
    hashes.add(MethodType.methodType(String.class, int.class).hashCode());
    hashes.add(MethodType.methodType(long.class, String.class).hashCode());
    hashes.add(MethodType.methodType(long.class, String[].class).hashCode());
    assertEquals(4, hashes.size());
  }

  @Test
  void hashCodes_ofOneClassThatEachRunLoadsAgain_differ() throws ClassNotFoundException {
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      Class<?> fresh = new FreshClassLoader("run").loadClass(Started.class.getName());
      MethodType type = MethodType.methodType(void.class, fresh);
      hashes.add(type.hashCode());
      assertSame(type, MethodType.methodType(void.class, fresh));
    }
    assertEquals(10, hashes.size());
  }

  /// One that is not found would be made again, and calls by method handles would fail.
  @Test
  void types_thatWereThereBeforeTheAgent_areFound() throws ReflectiveOperationException {
    var known = MethodTypes.known();
    assertNotEquals(0, known.size());
    for (MethodType each : known) {
      assertSame(each, MethodType.methodType(each.returnType(), each.parameterArray()));
    }
    IntStream.range(0, 5)
        .mapToObj(MethodType::genericMethodType) // which the JDK keeps in an array as well
        .forEach(
            each -> assertSame(each, MethodType.methodType(Object.class, each.parameterArray())));
  }
}
