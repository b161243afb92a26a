package dev.rondo.observe.internal;

import com.google.common.base.Splitter;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// A dump of all threads, virtual ones included, with the monitors that they hold. The JDK writes
/// such a dump only to a file.
final class ThreadDump {

  /// One thread.
  ///
  /// @param id its number
  /// @param isVirtual whether it is a virtual thread
  /// @param stack its lines, as the JDK writes them
  record Entry(long id, String name, boolean isVirtual, String stack) {

    /// Whether a task runs on the thread, and is suspended.
    boolean isSuspendedTask() {
      return SUSPENDED.matcher(stack).find();
    }
  }

  private static final Pattern HEAD = Pattern.compile("#(\\d+) \"(.*?)\".*");
  private static final Pattern LOCK =
      Pattern.compile("- (?:waiting to lock|parking to wait for) <.*>");
  private static final Pattern AWAITED = Pattern.compile("- waiting to lock (<.*>)");

  /// Where a task of HANDOFF or of BOUND is suspended.
  private static final Pattern SUSPENDED =
      Pattern.compile("dev\\.rondo\\.scheduler\\.coroutine\\.[\\w.]+\\$\\w+\\.suspend\\(");

  private final List<Entry> entries;

  ThreadDump(String text) {
    entries = parse(text);
  }

  /// {@return a dump; an empty one if this JVM cannot make it}
  static ThreadDump take() {
    try {
      Path folder = Files.createTempDirectory("rondo");
      Path file = folder.resolve("threads.txt");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        return new ThreadDump(Files.readString(file));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      return new ThreadDump("");
    }
  }

  private static List<Entry> parse(String text) {
    var entries = new ArrayList<Entry>();
    for (String block : Splitter.onPattern("\\R\\R").split(text)) {
      String[] parts = block.strip().split("\\R", 2);
      Matcher head = HEAD.matcher(parts[0]);
      if (head.matches()) {
        String stack = parts.length > 1 ? parts[1].stripTrailing() + "\n" : "";
        boolean isVirtual = parts[0].contains("\" virtual");
        entries.add(new Entry(Long.parseLong(head.group(1)), head.group(2), isVirtual, stack));
      }
    }
    return entries;
  }

  /// {@return whether a thread waits for a lock} Also true if the dump does not have the thread.
  /// The state of a thread alone is not enough: a carrier may still have the state of a virtual
  /// thread that it has carried.
  boolean mayWaitForLock(long threadId) {
    return entries.stream()
        .filter(each -> each.id == threadId)
        .allMatch(each -> LOCK.matcher(each.stack).find());
  }

  /// {@return the holder of the monitor for which a thread waits; null if the thread waits for
  /// none, or for another kind of lock, whose holder the JDK does not reveal}
  @Nullable Entry ownerOfLockAwaitedBy(long threadId) {
    for (Entry waiting : entries) {
      Matcher awaited = AWAITED.matcher(waiting.stack);
      if (waiting.id == threadId && awaited.find()) {
        return entries.stream()
            .filter(each -> each.stack.contains("- locked " + awaited.group(1)))
            .findFirst()
            .orElse(null);
      }
    }
    return null;
  }

  /// {@return the virtual threads that wait for the same lock as a thread} One of them may have
  /// received the lock and not run since.
  List<Entry> virtualWaitersBeside(long threadId) {
    return entries.stream()
        .filter(each -> each.id == threadId)
        .flatMap(each -> LOCK.matcher(each.stack).results())
        .map(MatchResult::group)
        .flatMap(lock -> entries.stream().filter(each -> each.stack.contains(lock)))
        .filter(each -> each.id != threadId && each.isVirtual)
        .toList();
  }

  /// {@return the suspended tasks, ordered by how much their stacks have in common with another
  /// stack, most first}
  ///
  /// @param withoutThread further suspended tasks, which have no threads
  List<Entry> suspendedTasks(List<Entry> withoutThread, List<StackTraceElement> stack) {
    Set<String> names = namesIn(stack);
    return Stream.concat(withoutThread.stream(), entries.stream().filter(Entry::isSuspendedTask))
        .sorted(Comparator.comparingLong((Entry each) -> -inCommon(each, names)))
        .toList();
  }

  private static long inCommon(Entry entry, Set<String> names) {
    return names.stream().filter(entry.stack::contains).count();
  }

  /// The methods of a stack, except methods that only wait, and the classes that are not the JDK's.
  private static Set<String> namesIn(List<StackTraceElement> stack) {
    Set<String> names = new HashSet<>();
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName() + ".";
      if (!type.startsWith("java.util.concurrent.locks.")) {
        names.add(type + frame.getMethodName() + "(");
      }
      if (!type.startsWith("java.")) {
        names.add(type);
      }
    }
    return names;
  }

  /// {@return the threads with a frame that begins with a text}
  List<Entry> threadsIn(String frame) {
    return entries.stream().filter(each -> each.stack.contains(" at " + frame)).toList();
  }

  /// {@return the class that another thread initializes while a virtual thread waits for it; null
  /// if there is none, or this JVM does not reveal it}
  static @Nullable String classAwaitedBy(long threadId) {
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "threadPrint",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      Matcher awaited =
          Pattern.compile(
                  "Mounted virtual thread #"
                      + threadId
                      + "\\R.*\\R.*Class initialization monitor for (\\S+)")
              .matcher(String.valueOf(text));
      return awaited.find() ? awaited.group(1) : null;
    } catch (JMException | RuntimeException | LinkageError e) {
      return null;
    }
  }
}
