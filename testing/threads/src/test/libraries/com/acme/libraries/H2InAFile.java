// DEPS com.h2database:h2:2.4.240
package com.acme.libraries;

import org.h2.jdbcx.JdbcConnectionPool;

public final class H2InAFile {

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2; i++) {
      var pool = JdbcConnectionPool.create("jdbc:h2:file:/data/test;WRITE_DELAY=200", "sa", "");
      if (i == 0) {
        Accounts.run(pool);
      }
      try (var connection = pool.getConnection();
          var rows = connection.createStatement().executeQuery("select sum(amount) from account")) {
        rows.next();
        System.out.println("sum " + rows.getInt(1));
      }
      pool.dispose();
      Thread.sleep(10_000);
    }
    System.out.println("end");
  }
}
