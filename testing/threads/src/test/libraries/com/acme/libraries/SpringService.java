package com.acme.libraries;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A service with a web server, a pool, a database, transactions and a timer.
@SpringBootApplication
@EnableScheduling
@RestController
public class SpringService {

  private static final AtomicInteger TICKS = new AtomicInteger();

  @Autowired private JdbcTemplate database;

  @GetMapping("/{number}")
  @Transactional
  public String answer(@PathVariable int number) throws InterruptedException {
    database.update("insert into call values (?)", number);
    Thread.sleep((long) (Math.random() * 100));
    return "call " + database.queryForObject("select count(*) from call", Integer.class);
  }

  @Scheduled(fixedRate = 1_000)
  public void tick() {
    TICKS.incrementAndGet();
  }

  public static void main(String[] args) throws Exception {
    var application =
        SpringApplication.run(
            SpringService.class,
            "--server.port=80",
            "--spring.datasource.url=jdbc:h2:mem:test",
            "--spring.main.banner-mode=off");
    application.getBean(JdbcTemplate.class).execute("create table call (number int)");
    Calls.run();
    Thread.sleep(600_000);
    application.close();
    System.out.println(TICKS + " ticks");
    System.out.println("end");
  }
}
