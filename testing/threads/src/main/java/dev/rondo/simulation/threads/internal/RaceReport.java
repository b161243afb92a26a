package dev.rondo.simulation.threads.internal;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The races of a world, for the message of a run that fails: the access at which a thread lost its
/// turn, and the access of another thread to the same memory meanwhile. Only a repetition has such
/// a report, because a stack at each access takes long.
///
/// Confined to the world's thread and the threads that it carries.
final class RaceReport implements Supplier<String> {

  /// How many accesses of a thread before the one where it lost its turn may be one half of a race.
  private static final int REMEMBERED = 16;

  /// The most races in a report.
  private static final int MOST_REPORTED = 5;

  private static final int MOST_FRAMES = 6;
  private static final String WRITES = "writes";
  private static final String READS = "reads";
  private static final String INDENT = "\n      ";

  /// Frames outside of the program.
  private static final List<String> OUTSIDE =
      List.of("dev.rondo.", "java.lang.Thread", "java.lang.VirtualThread");

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /// An access by a thread.
  ///
  /// @param number of all accesses, from 1
  /// @param of the object or array; null for a static field
  /// @param value before it, in words; empty if it is not known
  record Access(
      int number,
      CoroutineThread thread,
      @Nullable Object of,
      int index,
      String does,
      String what,
      String value,
      List<String> stack) {

    boolean conflicts(Access other) {
      return of == other.of
          && index == other.index
          && (of == null || index >= 0 || isCall() || what.equals(other.what))
          && (of != null || what.equals(other.what))
          && !(reads() && other.reads());
    }

    private boolean isCall() {
      return !isField(does);
    }

    boolean reads() {
      return does.startsWith(READS);
    }

    /// {@return its stack, in lines}
    String where() {
      return stack.stream().map(frame -> INDENT + frame).collect(Collectors.joining());
    }

    String describe() {
      String element = index >= 0 ? "[" + index + "]" : "";
      String was = value.isEmpty() ? "" : ", which is " + value;
      return does + " " + what + element + was;
    }
  }

  /// A thread that has lost its turn.
  private static final class Lost {

    private final Access at;
    private @Nullable Access own;
    private @Nullable Access other;
    private String after = "";

    Lost(Access at) {
      this.at = at;
    }
  }

  private final int packages;
  private final boolean tells;
  private final List<Lost> lost = new ArrayList<>();
  private final Deque<Lost> races = new ArrayDeque<>();

  /// The last accesses of all threads.
  private final Deque<Access> last = new ArrayDeque<>();

  /// Threads that have been started, and how many accesses there were before.
  private final IdentityHashMap<Thread, Integer> started = new IdentityHashMap<>();

  private int accesses;
  private int count;

  /// @param packages those whose threads race, a bit for each
  RaceReport(int packages, boolean tells) {
    this.packages = packages;
    this.tells = tells;
  }

  boolean concerns(int of) {
    return (packages & of) != 0;
  }

  boolean tells() {
    return tells;
  }

  /// A thread starts.
  void starts(Thread thread) {
    started.put(thread, accesses);
  }

  /// A thread is about to access memory.
  Access reached(CoroutineThread thread, @Nullable Object of, int index, String does, String what) {
    var access =
        new Access(
            ++accesses, thread, of, index, does, what, value(of, index, does, what), stack());
    for (Lost each : lost) {
      if (each.other == null && each.at.thread != thread) {
        Access own = each.at.conflicts(access) ? each.at : earlier(each.at.thread, access);
        if (own != null) {
          each.own = own;
          each.other = access;
        }
      }
    }
    last.addFirst(access);
    if (last.size() > REMEMBERED) {
      last.removeLast();
    }
    return access;
  }

  private @Nullable Access earlier(CoroutineThread of, Access other) {
    int before = started.getOrDefault(other.thread.shown(), 0);
    return last.stream()
        .filter(each -> each.thread == of && each.number > before && each.conflicts(other))
        .findFirst()
        .orElse(null);
  }

  /// A thread loses its turn there.
  void leaves(Access at) {
    lost.add(new Lost(at));
  }

  /// It has its next one.
  ///
  /// @return what happened meanwhile, if that may be a race; null if it may not
  @Nullable String goesOn(Access at) {
    Lost ended =
        lost.stream().filter(each -> each.at == at).findFirst().orElseThrow(AssertionError::new);
    lost.remove(ended);
    Access own = ended.own;
    Access other = ended.other;
    if (own == null || other == null) {
      return null;
    }
    ended.after = value(own.of, own.index, own.does, own.what);
    races.add(ended);
    count++;
    if (races.size() > MOST_REPORTED) {
      Lost _ = races.removeFirst();
    }
    return "race: thread '%s' %s, and meanwhile thread '%s' %s"
        .formatted(own.thread.name(), own.describe(), other.thread.name(), other.describe());
  }

  /// {@return the lines that tell of it; empty if there is nothing to tell}
  @Override
  public String get() {
    lost.stream().filter(each -> each.other != null).forEach(races::add);
    lost.clear();
    if (races.isEmpty()) {
      return "";
    }
    var text = new StringBuilder("\nraces on memory: " + Math.max(count, races.size()));
    for (Lost each : races) {
      Access own = each.own;
      Access other = each.other;
      if (own != null && other != null) {
        text.append("\n  thread '%s' %s".formatted(own.thread.name(), own.describe()));
        own.stack.forEach(frame -> text.append(INDENT).append(frame));
        if (own != each.at) {
          text.append("\n    and lost its turn before it " + each.at.describe());
          each.at.stack.forEach(frame -> text.append(INDENT).append(frame));
        }
        text.append(
            "\n    meanwhile thread '%s' %s".formatted(other.thread.name(), other.describe()));
        other.stack.forEach(frame -> text.append(INDENT).append(frame));
        if (!each.after.isEmpty()) {
          text.append("\n    then it is ").append(each.after);
        }
      }
    }
    return text.toString();
  }

  static boolean isOfProgram(String type) {
    return OUTSIDE.stream().noneMatch(type::startsWith);
  }

  /// {@return whether a field or an element is read or written}
  static boolean isField(String does) {
    return does.startsWith(READS) || does.startsWith(WRITES);
  }

  /// {@return an access that a thread makes now} With its stack and value if this tells of it.
  Access made(CoroutineThread thread, @Nullable Object of, int index, String does, String what) {
    return tells
        ? new Access(accesses, thread, of, index, does, what, value(of, index, does, what), stack())
        : new Access(accesses, thread, of, index, does, what, "", List.of());
  }

  private static List<String> stack() {
    return STACK.walk(frames ->
        frames
            .filter(each -> isOfProgram(each.getClassName()))
            .limit(MOST_FRAMES)
            .map(each -> "at " + each.toStackTraceElement())
            .toList());
  }

  // Values.

  private static String value(@Nullable Object of, int index, String does, String what) {
    if (index >= 0) {
      boolean isThere = of != null && index < Array.getLength(of);
      return isThere ? text(Array.get(of, index)) : "";
    }
    if (!isField(does)) {
      return "";
    }
    int dot = what.lastIndexOf('.');
    return of == null ? "" : field(of, what.substring(0, dot), what.substring(dot + 1));
  }

  private static String field(Object of, String type, String name) {
    for (Class<?> each = of.getClass(); each != null; each = each.getSuperclass()) {
      try {
        Field found = each.getDeclaredField(name);
        return found.trySetAccessible() ? text(found.get(of)) : "";
      } catch (NoSuchFieldException e) {
        // a superclass may have it
      } catch (IllegalAccessException e) {
        return "";
      }
    }
    throw new AssertionError("%s has no field %s.%s".formatted(of.getClass(), type, name));
  }

  /// Calls no code of the program.
  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "\"" + text + "\"";
      case Number number when isOfJdk(number) -> number.toString();
      case Boolean truth -> truth.toString();
      case Character letter -> "'" + letter + "'";
      case Enum<?> constant -> constant.name();
      default -> "a " + value.getClass().getName();
    };
  }

  private static boolean isOfJdk(Number number) {
    return number.getClass().getClassLoader() == null;
  }
}
