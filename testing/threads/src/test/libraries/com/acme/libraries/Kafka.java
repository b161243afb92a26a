// DEPS org.apache.kafka:kafka-clients:4.1.1
// SERVER KafkaService
package com.acme.libraries;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

public final class Kafka {

  public static void main(String[] args) throws Exception {
    Thread.sleep(1_000);
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            "server:9092",
            "enable.idempotence",
            false,
            "acks",
            "1",
            "enable.metrics.push",
            false,
            "linger.ms",
            20,
            "request.timeout.ms",
            2_000,
            "delivery.timeout.ms",
            10_000);
    try (var producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < 200; i++) {
        int number = i;
        producer.send(
            new ProducerRecord<>("topic", "key " + i % 7, "value " + i),
            (written, e) -> System.out.println(number + " " + (e == null ? written : e)));
        Thread.sleep((long) (Math.random() * 50));
      }
      producer.flush();
      Thread.sleep(900_000); // the connection is closed, and metadata are asked for again
      producer.send(new ProducerRecord<>("topic", "last")).get();
    }
    System.out.println("end");
  }
}
