package com.acme.libraries;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/// A broker that speaks old versions of Kafka's protocol, has three partitions, and keeps nothing.
public final class KafkaService {

  private static final int PARTITIONS = 3;
  private static final AtomicLong OFFSET = new AtomicLong();

  private KafkaService() {}

  public static void main(String[] args) throws Exception {
    var listener = new ServerSocket(9092);
    while (true) {
      Socket client = listener.accept();
      new Thread(() -> serve(client)).start();
    }
  }

  private static void serve(Socket client) {
    try (client) {
      var in = new DataInputStream(client.getInputStream());
      while (true) {
        ByteBuffer request = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        short key = request.getShort();
        short version = request.getShort();
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(request.getInt());
        text(request); // the client's identifier
        switch (key) {
          case 0 -> produce(request, out);
          case 3 -> metadata(out);
          case 18 -> versions(version, out);
          default -> throw new IOException("unknown request " + key);
        }
        Thread.sleep((long) (Math.random() * (Math.random() < 0.02 ? 5_000 : 50)));
        byte[] answer =
            ByteBuffer.allocate(4 + bytes.size())
                .putInt(bytes.size())
                .put(bytes.toByteArray())
                .array();
        client.getOutputStream().write(answer);
      }
    } catch (Exception _) {
      // the client has gone
    }
  }

  private static String text(ByteBuffer request) {
    int length = request.getShort();
    byte[] bytes = new byte[Math.max(0, length)];
    request.get(bytes);
    return new String(bytes);
  }

  /// One that is too new is refused, with the versions that are not.
  private static void versions(int version, DataOutputStream out) throws IOException {
    out.writeShort(version == 0 ? 0 : 35);
    short[][] known = {{0, 3, 3}, {3, 4, 4}, {18, 0, 0}};
    out.writeInt(known.length);
    for (short[] each : known) {
      for (short it : each) {
        out.writeShort(it);
      }
    }
  }

  private static void metadata(DataOutputStream out) throws IOException {
    out.writeInt(0);
    out.writeInt(1);
    out.writeInt(0);
    out.writeUTF("server");
    out.writeInt(9092);
    out.writeShort(-1);
    out.writeUTF("cluster");
    out.writeInt(0);
    out.writeInt(1);
    out.writeShort(0);
    out.writeUTF("topic");
    out.writeBoolean(false);
    out.writeInt(PARTITIONS);
    for (int i = 0; i < PARTITIONS; i++) {
      out.writeShort(0);
      out.writeInt(i);
      out.writeInt(0);
      for (int j = 0; j < 2; j++) {
        out.writeInt(1);
        out.writeInt(0);
      }
    }
  }

  private static void produce(ByteBuffer request, DataOutputStream out) throws IOException {
    text(request); // no transaction
    request.position(request.position() + 6);
    int topics = request.getInt();
    out.writeInt(topics);
    for (int i = 0; i < topics; i++) {
      out.writeUTF(text(request));
      int partitions = request.getInt();
      out.writeInt(partitions);
      for (int j = 0; j < partitions; j++) {
        out.writeInt(request.getInt());
        int length = request.getInt();
        request.position(request.position() + length);
        out.writeShort(0);
        out.writeLong(OFFSET.getAndAdd(100));
        out.writeLong(-1);
      }
    }
    out.writeInt(0);
  }
}
