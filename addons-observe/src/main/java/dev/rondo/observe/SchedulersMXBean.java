package dev.rondo.observe;

/// All schedulers of the process, see [Loops], as seen by JConsole, VisualVM and other JMX clients.
/// The bean is registered while any scheduler is open that has existed for a second. Any thread.
public interface SchedulersMXBean {

  /// {@return the names of the threads that run schedulers, in the order in which the schedulers
  /// were made}
  String[] getLoops();

  /// {@return the number of tasks of all schedulers that were scheduled and have not ended, add-ons
  /// included: a recent number}
  int getTaskCount();

  /// {@return the number of ready tasks of all schedulers, running tasks included: a recent number}
  int getReadyCount();

  /// {@return the number of turns that tasks have had, on the open schedulers}
  long getTurnCount();

  /// {@return a dump of the tasks of all schedulers, for people} Many tasks make a long text.
  String dump();

  /// {@return a dump of the tasks of all schedulers, for programs: an object with an array `loops`,
  /// each as [DumpFormat#JSON]}
  String dumpJson();
}
