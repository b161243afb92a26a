package dev.rondo.time;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/// The one class that knows cron-utils: loaded by the first cron expression.
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
    Cron cron = parser.parse(expression).validate();
    return new CronRecurrence(expression, zone, ExecutionTime.forCron(cron));
  }

  @Override
  public Optional<Instant> after(Instant instant) {
    return times.nextExecution(instant.atZone(zone)).map(ZonedDateTime::toInstant);
  }

  @Override
  public String toString() {
    return "'" + expression + "' in " + zone;
  }
}
