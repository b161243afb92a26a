package dev.rondo.benchmarks.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Receives the calls of instrumented methods, and keeps the calls between [#begin] and [#end].
///
/// Any thread may call. There is one recording at a time.
public final class CallLog {

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE); // for descriptors

  private static final List<Method> METHODS = new ArrayList<>();
  private static final Map<Method, Integer> NUMBERS = new HashMap<>();

  private static boolean recording;

  /// Whether the recording keeps the depth of each call.
  private static boolean deep;

  private static int[] numbers = new int[1024];
  private static int[] depths = new int[1024];
  private static int size;

  private CallLog() {}

  /// {@return the number of a method, for its calls of [#entered]}
  static synchronized int number(Method method) {
    Integer known = NUMBERS.get(method);
    if (known != null) {
      return known;
    }
    METHODS.add(method);
    NUMBERS.put(method, METHODS.size() - 1);
    return METHODS.size() - 1;
  }

  /// {@return whether any class was instrumented}
  static synchronized boolean isInUse() {
    return !METHODS.isEmpty();
  }

  /// Records that a method begins. Instrumented code calls this.
  ///
  /// @param number of the method
  public static synchronized void entered(int number) {
    if (!recording) {
      return;
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      depths = Arrays.copyOf(depths, 2 * size);
    }
    numbers[size] = number;
    depths[size] = deep ? depth() : 0;
    size++;
  }

  /// {@return the number of instrumented methods on the stack below the method that has just begun}
  /// On the stack of a continuation, methods below the continuation count too.
  private static int depth() {
    return STACK.walk(frames -> (int) frames.filter(frame -> numberOf(frame) != null).count() - 1);
  }

  private static @Nullable Integer numberOf(StackWalker.StackFrame frame) {
    return NUMBERS.get(
        new Method(frame.getClassName(), frame.getMethodName(), frame.getDescriptor()));
  }

  /// Begins a recording.
  ///
  /// @param withDepth whether to keep the depth of each call
  static synchronized void begin(boolean withDepth) {
    size = 0;
    deep = withDepth;
    recording = true;
  }

  /// {@return the calls since [#begin], in order}
  static synchronized Recording end() {
    recording = false;
    var calls = new ArrayList<Recording.Call>(size);
    for (int i = 0; i < size; i++) {
      calls.add(new Recording.Call(METHODS.get(numbers[i]), depths[i]));
    }
    return new Recording(calls);
  }
}
