// DEPS com.zaxxer:HikariCP:7.1.0
// DEPS com.h2database:h2:2.4.240
package com.acme.libraries;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

public final class HikariAndH2 {

  public static void main(String[] args) throws Exception {
    var config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:test");
    config.setMaximumPoolSize(3);
    config.setMaxLifetime(60_000);
    config.setRegisterMbeans(true);
    try (var pool = new HikariDataSource(config)) {
      Accounts.run(pool);
      Thread.sleep(300_000);
    }
    System.out.println("end");
  }
}
