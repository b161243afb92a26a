package dev.rondo.scheduler.coroutine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import jdk.internal.vm.Continuation;

/// Enters and leaves a continuation by the two methods of the JVM on which [Continuation#run] and
/// [Continuation#yield] are built.
///
/// Around these two methods the JDK keeps what a confined loop does not need: a flag that keeps two
/// threads from running the same continuation, which costs two memory fences, and the chain of the
/// mounted continuations, by which one of them can suspend those above it. Together that is a third
/// of a switch. The JVM itself uses neither, unless it was built for debugging.
///
/// A continuation that was entered in this way is not in that chain. So a task must not suspend
/// inside a continuation of its own, or of another library, which would be suspended in its place.
///
/// The methods are private, so this needs a JVM that *opens* `jdk.internal.vm` to this module. On a
/// JVM that only exports the package, and on a release newer than those that were checked, the
/// public methods are used.
final class DirectSwitch {

  /// The newest release of the JDK in which these methods were checked.
  private static final int NEWEST_CHECKED = 25;

  private static final MethodType ENTER_TYPE =
      MethodType.methodType(void.class, Continuation.class, boolean.class, boolean.class);
  private static final MethodType LEAVE_TYPE = MethodType.methodType(int.class);

  private static final boolean AVAILABLE;

  /// A constant for the JIT, which calls its target directly.
  private static final MethodHandle ENTER;

  /// Not a constant, so that the call has a frame of its own on each stack. The JVM copies back two
  /// frames at a time where a stack has interpreted ones, and as yet interpreted is how every
  /// program begins. With this frame and that of the task's own code, which is compiled once it is
  /// hot, the interpreted ones below stay where they are.
  @SuppressWarnings("FieldMayBeFinal")
  private static MethodHandle leave = MethodHandles.empty(LEAVE_TYPE);

  static {
    MethodHandle enter = MethodHandles.empty(ENTER_TYPE);
    boolean found = false;
    if (isChecked(Runtime.version().feature(), System.getProperty("java.vm.version", ""))) {
      try {
        Lookup jdk = MethodHandles.privateLookupIn(Continuation.class, MethodHandles.lookup());
        enter = jdk.findStatic(Continuation.class, "enterSpecial", ENTER_TYPE);
        leave = jdk.findStatic(Continuation.class, "doYield", LEAVE_TYPE);
        found = true;
      } catch (ReflectiveOperationException _) {
        // The package is not open, or this JDK is another one.
      }
    }
    ENTER = enter;
    AVAILABLE = found;
  }

  private DirectSwitch() {}

  /// Whether the methods were checked in such a JVM.
  ///
  /// @param release of the JDK
  /// @param build what the JVM says of itself
  static boolean isChecked(int release, String build) {
    return release <= NEWEST_CHECKED && !build.contains("debug");
  }

  /// Whether the JVM has the methods and opens them.
  static boolean isAvailable() {
    return AVAILABLE;
  }

  /// Begins or resumes a continuation, until it suspends or ends.
  ///
  /// @param again whether it has suspended before
  static void enter(Continuation continuation, boolean again) {
    try {
      ENTER.invokeExact(continuation, again, false);
    } catch (Throwable e) {
      throw unchecked(e);
    }
    VarHandle.releaseFence(); // the JDK has it here
  }

  /// Suspends the innermost continuation.
  ///
  /// @return 0 if it was suspended, and was resumed; otherwise why the stack is pinned
  static int leave() {
    int pinned;
    try {
      pinned = (int) leave.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
    VarHandle.releaseFence(); // the JDK has it here
    return pinned;
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

  /// Throws what the body of a continuation, or the JVM, has thrown.
  @SuppressWarnings("unchecked")
  private static <X extends Throwable> RuntimeException unchecked(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
