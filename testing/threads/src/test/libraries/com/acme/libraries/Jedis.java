// DEPS redis.clients:jedis:6.2.0
// SERVER RedisService
package com.acme.libraries;

import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

public final class Jedis {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    var config = new JedisPoolConfig();
    config.setMaxTotal(3);
    config.setJmxEnabled(true);
    try (var pool = new JedisPool(config, "server", 6379)) {
      Work.run(
          8,
          60,
          number -> {
            try (var jedis = pool.getResource()) {
              jedis.set("key " + number % 7, "value " + number);
              System.out.println(
                  number + " " + jedis.incr("count") + " " + jedis.get("key " + number % 5));
            }
          });
      Thread.sleep(120_000); // idle connections are evicted
      System.out.println(pool.getNumIdle() + " idle");
    }
    System.out.println("end");
  }
}
