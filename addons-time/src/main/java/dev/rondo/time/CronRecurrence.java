package dev.rondo.time;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/// A cron expression as a recurrence. No other class uses cron-utils, so the first cron expression
/// loads the library.
final class CronRecurrence implements Recurrence {

  private final String expression;
  private final ZoneId zone;
  private final ExecutionTime times;

  private CronRecurrence(String expression, ZoneId zone, ExecutionTime times) {
    this.expression = expression;
    this.zone = zone;
    this.times = times;
  }

  static CronRecurrence parse(String expression, ZoneId zone) {
    var parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    try {
      Cron cron = parser.parse(expression).validate();
      return new CronRecurrence(expression, zone, ExecutionTime.forCron(cron));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no cron expression: '%s': %s".formatted(expression, e.getMessage()), e);
    }
  }

  /// During an hour that occurs for the second time on a day, the search starts before its first
  /// occurrence. Otherwise the library would return a time of day that counts once (`30 2 * * *`)
  /// again.
  @Override
  public Optional<Instant> after(Instant instant) {
    Optional<Instant> next = firstAfter(beforeRepeatedHour(instant));
    while (next.isPresent() && !next.get().isAfter(instant)) {
      next = firstAfter(next.get());
    }
    return next;
  }

  private Optional<Instant> firstAfter(Instant instant) {
    return times.nextExecution(instant.atZone(zone)).map(ZonedDateTime::toInstant);
  }

  /// Returns the instant. If its time of day occurs twice on that day, returns an instant before
  /// both occurrences.
  private Instant beforeRepeatedHour(Instant instant) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition set =
        rules.getTransition(LocalDateTime.ofInstant(instant, rules.getOffset(instant)));
    return set == null ? instant : set.getInstant().minus(set.getDuration().abs()).minusNanos(1);
  }

  @Override
  public String toString() {
    return "'" + expression + "' in " + zone;
  }
}
