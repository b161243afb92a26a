package com.acme.libraries;

import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import javax.sql.DataSource;

/// Transactions of some threads.
final class Accounts {

  private Accounts() {}

  static void run(DataSource database) throws Exception {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create table account (id int primary key, amount int)");
      statement.execute("insert into account values (0, 100), (1, 100), (2, 100), (3, 100)");
    }
    Work.run(6, 40, number -> transfer(database, number));
    try (var connection = database.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select id, amount from account order by id")) {
      while (rows.next()) {
        System.out.println("account " + rows.getInt(1) + " has " + rows.getInt(2));
      }
    }
  }

  /// May wait for a row until its limit is over.
  private static void transfer(DataSource database, int number) throws Exception {
    try (var connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try (var update =
          connection.prepareStatement("update account set amount = amount + ? where id = ?")) {
        for (int sign = -1; sign <= 1; sign += 2) {
          update.setInt(1, sign * number);
          update.setInt(2, (int) (Math.random() * 4));
          update.executeUpdate();
          Thread.sleep((long) (Math.random() * 1_000));
        }
      }
      connection.commit();
      System.out.println(number + " done");
    } catch (SQLTimeoutException | SQLTransactionRollbackException e) {
      System.out.println(number + " failed " + e);
    }
  }
}
