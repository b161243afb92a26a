package com.acme.threads;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Orders in a database: HikariCP and H2 as they are.
final class Orders {

  private final HikariDataSource pool;
  private final Duration work;
  private final Consumer<String> told;

  /// @param host of the database
  Orders(String host, int connections, Duration work, Consumer<String> told) {
    this.work = work;
    this.told = told;
    var config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:tcp://" + host + "/mem:orders;DB_CLOSE_DELAY=-1;NETWORK_TIMEOUT=20000");
    config.setUsername("sa");
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(5_000);
    config.setMaxLifetime(TimeUnit.MINUTES.toMillis(10));
    pool = new HikariDataSource(config);
  }

  void prepare() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table orders (id int primary key, taken timestamp)");
    }
  }

  void run(int threads, int orders, Duration pause) throws InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < orders; i++) {
      int order = i;
      workers.execute(() -> take(order));
      Thread.sleep(pause);
    }
    workers.shutdown();
    if (!workers.awaitTermination(1, TimeUnit.DAYS)) {
      throw new IllegalStateException("the workers do not end");
    }
  }

  private void take(int order) {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("insert into orders values (?, ?)")) {
        insert.setInt(1, order);
        insert.setObject(2, LocalDateTime.now(ZoneOffset.UTC));
        insert.executeUpdate();
      }
      Thread.sleep(work);
      connection.commit();
      told.accept("acknowledged " + order);
    } catch (SQLException e) {
      told.accept("failed " + order + " " + e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Says which orders the database has.
  void tellStored() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select id from orders order by id")) {
      while (result.next()) {
        told.accept("stored " + result.getInt(1));
      }
    }
  }

  void close() {
    pool.close();
  }
}
