package dev.rondo.observe;

import java.util.Map;

/// A scheduler as seen by JConsole, VisualVM and other JMX clients; see
/// [Observers#management(String)]. Any thread.
public interface SchedulerMXBean {

  /// {@return how many tasks were scheduled and have not ended, add-ons included: a recent number}
  int getTaskCount();

  /// {@return how many tasks are ready, the running one included: a recent number}
  int getReadyCount();

  /// {@return how many turns tasks have had}
  long getTurnCount();

  /// {@return the name of the coroutine backend}
  String getBackend();

  /// {@return the figures of the add-ons, by name, see [dev.rondo.scheduler.addon.AddOn#describe]}
  /// Figures of the same name are added up. Empty if there are none, or if the loop does not answer
  /// within two seconds.
  Map<String, Long> getFigures();

  /// {@return a dump of all tasks, for people} Many tasks make a long text.
  String dump();

  /// {@return a dump of all tasks, for programs, see [DumpFormat#JSON]}
  String dumpJson();
}
