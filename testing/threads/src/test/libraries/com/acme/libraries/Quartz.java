// DEPS org.quartz-scheduler:quartz:2.5.2
package com.acme.libraries;

import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

public final class Quartz {

  private static final AtomicInteger COUNT = new AtomicInteger();

  @DisallowConcurrentExecution
  public static final class Work implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      try {
        Thread.sleep((long) (Math.random() * 90_000));
      } catch (InterruptedException _) {
        return;
      }
      System.out.println(
          context.getJobDetail().getKey() + " at " + context.getFireTime().toInstant());
      COUNT.incrementAndGet();
    }
  }

  public static void main(String[] args) throws Exception {
    var scheduler = StdSchedulerFactory.getDefaultScheduler();
    scheduler.scheduleJob(
        JobBuilder.newJob(Work.class).withIdentity("each minute").build(),
        TriggerBuilder.newTrigger()
            .withSchedule(SimpleScheduleBuilder.repeatMinutelyForever())
            .build());
    scheduler.scheduleJob(
        JobBuilder.newJob(Work.class).withIdentity("each quarter").build(),
        TriggerBuilder.newTrigger()
            .withSchedule(CronScheduleBuilder.cronSchedule("0 0/15 * * * ?"))
            .build());
    scheduler.start();
    Thread.sleep(3_600_000);
    scheduler.shutdown(true);
    System.out.println(COUNT + " runs");
    System.out.println("end");
  }
}
