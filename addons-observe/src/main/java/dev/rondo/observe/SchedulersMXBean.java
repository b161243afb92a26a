package dev.rondo.observe;

/// All schedulers of the process, see [Loops], as seen by JConsole, VisualVM and other JMX clients.
/// It is there while any of them is open that has lived for a second. Any thread.
public interface SchedulersMXBean {

  /// {@return the names of the threads that run schedulers, in the order these were made}
  String[] getLoops();

  /// {@return how many tasks of all were scheduled and have not ended, add-ons included: a recent
  /// number}
  int getTaskCount();

  /// {@return how many tasks of all are ready, those running included: a recent number}
  int getReadyCount();

  /// {@return how many turns tasks have had, on the schedulers that are open}
  long getTurnCount();

  /// {@return a dump of the tasks of all schedulers, for people} Many tasks make a long text.
  String dump();

  /// {@return a dump of the tasks of all schedulers, for programs: an object with an array `loops`,
  /// each as [DumpFormat#JSON]}
  String dumpJson();
}
