package com.acme.threads;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;

/// A database server, and a service that takes orders: H2 and HikariCP as they are.
public final class Orders {

  private static final int PORT = 9092;

  private Orders() {}

  /// Runs the database server of H2.
  public static void database() throws SQLException {
    Server.createTcpServer("-tcpPort", "" + PORT, "-tcpAllowOthers", "-ifNotExists").start();
  }

  /// A service with a pool of connections.
  public static final class Service {

    private final HikariDataSource pool;

    /// What was acknowledged, and what has failed.
    public final List<Integer> acknowledged = new CopyOnWriteArrayList<>();

    /// Why orders have failed.
    public final List<String> failed = new CopyOnWriteArrayList<>();

    /// @param host of the database
    /// @param name of the database
    public Service(String host, String name, int connections) {
      var config = new HikariConfig();
      config.setJdbcUrl(
          "jdbc:h2:tcp://" + host + ":" + PORT + "/mem:" + name + ";DB_CLOSE_DELAY=-1");
      config.setUsername("sa");
      config.setPassword("");
      config.setMaximumPoolSize(connections);
      config.setConnectionTimeout(5_000);
      config.setMaxLifetime(TimeUnit.MINUTES.toMillis(10));
      config.addDataSourceProperty("NETWORK_TIMEOUT", "20000");
      pool = new HikariDataSource(config);
    }

    /// Makes the table.
    public void prepare() throws SQLException {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("create table if not exists orders (id int primary key, at timestamp)");
      }
    }

    /// Takes orders, each in a transaction, with some threads.
    public void run(int threads, int orders, long pauseMillis) throws InterruptedException {
      ExecutorService workers = Executors.newFixedThreadPool(threads);
      for (int i = 0; i < orders; i++) {
        int order = i;
        workers.submit(() -> take(order));
        Thread.sleep(pauseMillis);
      }
      workers.shutdown();
      workers.awaitTermination(1, TimeUnit.DAYS);
    }

    private void take(int order) {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
            connection.prepareStatement("insert into orders values (?, ?)")) {
          insert.setInt(1, order);
          insert.setObject(2, java.time.LocalDateTime.now());
          insert.executeUpdate();
        }
        Thread.sleep(50);
        connection.commit();
        acknowledged.add(order);
      } catch (SQLException | InterruptedException e) {
        failed.add(order + " " + e.getClass().getSimpleName());
      }
    }

    /// {@return how many orders the database has}
    public int count() throws SQLException {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("select count(*) from orders")) {
        result.next();
        return result.getInt(1);
      }
    }

    /// Closes the pool.
    public void close() {
      pool.close();
    }
  }
}
