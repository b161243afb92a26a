package com.acme.libraries;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A server that understands some commands of Redis, in RESP 2.
public final class RedisService {

  private static final Map<String, String> VALUES = new ConcurrentHashMap<>();

  private RedisService() {}

  public static void main(String[] args) throws Exception {
    var listener = new ServerSocket(6379);
    while (true) {
      Socket client = listener.accept();
      new Thread(() -> serve(client)).start();
    }
  }

  private static void serve(Socket client) {
    try (client) {
      var in = new BufferedReader(new InputStreamReader(client.getInputStream()));
      for (String line; (line = in.readLine()) != null; ) {
        var words = new ArrayList<String>();
        for (int i = Integer.parseInt(line.substring(1)); i > 0; i--) {
          in.readLine();
          words.add(in.readLine());
        }
        Thread.sleep((long) (Math.random() * 20));
        client.getOutputStream().write(answer(words).getBytes());
      }
    } catch (Exception _) {
      // the client has gone
    }
  }

  private static String answer(ArrayList<String> words) {
    return switch (words.getFirst().toUpperCase()) {
      case "PING" -> "+PONG\r\n";
      case "SET" -> {
        VALUES.put(words.get(1), words.get(2));
        yield "+OK\r\n";
      }
      case "GET" -> {
        String value = VALUES.get(words.get(1));
        yield value == null ? "$-1\r\n" : "$" + value.length() + "\r\n" + value + "\r\n";
      }
      case "INCR" ->
          ":" + VALUES.merge(words.get(1), "1", (a, _) -> "" + (Long.parseLong(a) + 1)) + "\r\n";
      case "CLIENT", "SELECT" -> "+OK\r\n";
      default -> "-ERR unknown command\r\n";
    };
  }
}
