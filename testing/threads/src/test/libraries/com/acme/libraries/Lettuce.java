// DEPS io.lettuce:lettuce-core:7.2.1.RELEASE
// SERVER RedisService
package com.acme.libraries;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.util.ArrayList;

public final class Lettuce {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    var client =
        RedisClient.create(
            ClientResources.builder()
                .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE) // no DNS server
                .build(),
            RedisURI.create("redis://server:6379"));
    client.setOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
    var connection = client.connect();
    var counts = new ArrayList<RedisFuture<Long>>();
    for (int i = 0; i < 40; i++) {
      int number = i;
      connection.async().set("key " + i, "value " + i);
      counts.add(connection.async().incr("count"));
      connection
          .reactive()
          .get("key " + i % 9)
          .subscribe(it -> System.out.println(number + " " + it));
    }
    for (RedisFuture<Long> each : counts) {
      System.out.println(each.get());
    }
    connection.close();
    client.shutdown();
    System.out.println("end");
  }
}
