// DEPS org.postgresql:postgresql:42.7.8
// DEPS com.zaxxer:HikariCP:7.1.0
// SERVER PostgresService
package com.acme.libraries;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

public final class Postgres {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    var config = new HikariConfig();
    config.setJdbcUrl("jdbc:postgresql://server/test?user=me&password=secret&sslmode=disable");
    config.setMaximumPoolSize(3);
    config.setMaxLifetime(60_000);
    try (var pool = new HikariDataSource(config)) {
      Work.run(
          6,
          40,
          number -> {
            try (var connection = pool.getConnection();
                var statement = connection.prepareStatement("select count from counter")) {
              statement.setQueryTimeout(1);
              try (var rows = statement.executeQuery()) {
                rows.next();
                System.out.println(number + " " + rows.getString(1));
              }
            }
          });
      Thread.sleep(300_000);
    }
    System.out.println("end");
  }
}
