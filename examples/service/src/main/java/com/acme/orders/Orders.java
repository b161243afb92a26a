package com.acme.orders;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/// Takes orders, and has another service charge them. An order and the note that it is to be
/// charged, in an *outbox*, are one transaction. A relay sends what the outbox has.
@SpringBootApplication
@EnableScheduling
@RestController
public class Orders {

  private final JdbcTemplate database;
  private final RestClient payments;
  private final boolean withKeys;

  Orders(
      JdbcTemplate database,
      @Value("${payments}") String payments,
      @Value("${keys:true}") boolean withKeys) {
    var requests = new SimpleClientHttpRequestFactory();
    requests.setConnectTimeout(Duration.ofSeconds(2));
    requests.setReadTimeout(Duration.ofSeconds(2));
    this.database = database;
    this.payments = RestClient.builder().baseUrl(payments).requestFactory(requests).build();
    this.withKeys = withKeys;
  }

  public static void main(String[] args) {
    SpringApplication.run(Orders.class, args);
  }

  @PostMapping("/orders/{number}")
  @Transactional
  public void order(@PathVariable int number) {
    database.update("insert into orders values (?)", number);
    database.update("insert into outbox values (?)", number);
  }

  /// Charges what the outbox has, and again what has failed.
  @Scheduled(fixedDelay = 1_000)
  public void relay() {
    for (Integer number : database.queryForList("select number from outbox", Integer.class)) {
      payments
          .post()
          .uri("/charges/{number}", number)
          .headers(headers -> {
            if (withKeys) {
              headers.add("Idempotency-Key", number.toString());
            }
          })
          .retrieve()
          .toBodilessEntity();
      database.update("delete from outbox where number = ?", number);
    }
  }
}
