package dev.rondo.observe;

import java.util.Map;

/// One scheduler as seen by JConsole, VisualVM and other JMX clients; see
/// [Observers#management(String)]. The attributes that it shares with [SchedulersMXBean] count this
/// scheduler only. Any thread.
public interface SchedulerMXBean extends SchedulersMXBean {

  /// {@return the name of the coroutine backend}
  String getBackend();

  /// {@return the figures of the add-ons, by name, see [dev.rondo.scheduler.addon.AddOn#describe]}
  /// Figures of the same name are added up. Empty if there are none, or if the loop does not answer
  /// within two seconds.
  Map<String, Long> getFigures();

  /// {@return a dump of all tasks, for programs, see [DumpFormat#JSON]}
  @Override
  String dumpJson();
}
