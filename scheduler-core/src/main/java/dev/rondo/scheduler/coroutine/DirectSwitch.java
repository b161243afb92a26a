package dev.rondo.scheduler.coroutine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Enters and leaves a continuation of the JDK with the two JVM methods on which the public methods
/// `run` and `yield` are built.
///
/// Around these two methods, the JDK keeps state that a confined loop does not need: a flag that
/// keeps two threads from running the same continuation, which costs an atomic instruction and a
/// fence; the thread's chain of mounted continuations, through which one continuation can suspend
/// the continuations above it; and the cache of scoped values. This state costs a quarter of a
/// switch. The JVM keeps its own list of the entered continuations.
///
/// A continuation that was entered in this way is not in the JDK's chain. So a task must not
/// suspend inside a continuation that its own code, or another library, has made: the JVM would
/// suspend that continuation, and not the task.
///
/// The methods are private, so this class needs a JVM that *opens* `jdk.internal.vm` to this
/// module. On a JVM that only exports the package, and on JVMs in which these methods were not
/// checked, the public methods are used.
final class DirectSwitch {

  /// The system property that turns this off, if it is `false`.
  static final String PROPERTY = "rondo.directSwitch";

  /// The newest JDK release in which these methods were checked.
  private static final int NEWEST_CHECKED = 25;

  private static final MethodType ENTER_TYPE =
      MethodType.methodType(void.class, Object.class, boolean.class, boolean.class);
  private static final MethodType LEAVE_TYPE = MethodType.methodType(int.class);

  private static final boolean AVAILABLE;

  /// A constant for the JIT, which calls its target directly.
  private static final MethodHandle ENTER;

  /// Not a constant, so that the call has a frame of its own on each stack. The JVM copies back two
  /// frames at a time where a stack has interpreted ones, and every program begins interpreted.
  /// These two frames are then this call and the task's own code, which is compiled once it is hot.
  /// The interpreted frames below stay where they are.
  @SuppressWarnings("FieldMayBeFinal")
  private static MethodHandle leave = MethodHandles.empty(LEAVE_TYPE);

  /// Where a continuation keeps its stack.
  private static final @Nullable VarHandle STACK;

  static {
    MethodHandle enter = MethodHandles.empty(ENTER_TYPE);
    VarHandle stack = null;
    boolean found = false;
    if (Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))
        && isChecked(
            Runtime.version().feature(),
            System.getProperty("java.vm.name", ""),
            System.getProperty("jdk.debug", ""))) {
      try {
        Class<?> type = Class.forName("jdk.internal.vm.Continuation");
        Lookup jdk = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        MethodType own = ENTER_TYPE.changeParameterType(0, type);
        enter = jdk.findStatic(type, "enterSpecial", own).asType(ENTER_TYPE);
        leave = jdk.findStatic(type, "doYield", LEAVE_TYPE);
        stack = jdk.findVarHandle(type, "tail", Class.forName("jdk.internal.vm.StackChunk"));
        found = true;
      } catch (ReflectiveOperationException _) {
        // The package is not open, or this JDK has other methods.
      }
    }
    ENTER = enter;
    STACK = stack;
    AVAILABLE = found;
  }

  private DirectSwitch() {}

  /// Whether the methods were checked in such a JVM. A JVM built for debugging asserts that the
  /// JDK's chain is complete.
  ///
  /// @param release of the JDK
  /// @param jvm the name of the JVM
  /// @param build the kind of its build
  static boolean isChecked(int release, String jvm, String build) {
    return release <= NEWEST_CHECKED
        && (jvm.contains("HotSpot") || jvm.contains("OpenJDK"))
        && build.equals("release");
  }

  /// Whether the JVM has the methods and opens them.
  static boolean isAvailable() {
    return AVAILABLE;
  }

  /// Begins or resumes a continuation, until it suspends or ends.
  ///
  /// @param continuation of the JDK's class
  /// @param again whether it has suspended before
  static void enter(Object continuation, boolean again) {
    try {
      ENTER.invokeExact(continuation, again, false);
    } catch (Throwable e) {
      throw unchecked(e);
    }
    VarHandle.releaseFence(); // as in the JDK, against certain transformations by the compiler
  }

  /// Suspends the innermost continuation.
  ///
  /// @return 0 if the continuation was suspended and resumed; otherwise the reason why the stack is
  ///   pinned
  static int leave() {
    int pinned;
    try {
      pinned = (int) leave.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
    VarHandle.releaseFence(); // as in the JDK, against certain transformations by the compiler
    return pinned;
  }

  /// Releases the stack of a continuation that has ended.
  static void releaseStack(Object ended) {
    VarHandle stack = STACK;
    if (stack != null) {
      stack.set(ended, null);
    }
  }

  /// The name of a reason that [#leave()] has returned.
  static String reason(int pinned) {
    return switch (pinned) {
      case 2 -> "CRITICAL_SECTION";
      case 3 -> "NATIVE";
      case 4 -> "MONITOR";
      default -> "reason " + pinned;
    };
  }

  /// Throws an exception that the body of a continuation, or the JVM, has thrown.
  @SuppressWarnings("unchecked")
  private static <X extends Throwable> RuntimeException unchecked(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
