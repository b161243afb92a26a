package com.acme.libraries;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// A server that speaks PostgreSQL's protocol, and answers each query with a number.
public final class PostgresService {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private PostgresService() {}

  public static void main(String[] args) throws Exception {
    var listener = new ServerSocket(5432);
    while (true) {
      Socket client = listener.accept();
      new Thread(() -> serve(client)).start();
    }
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  private static void send(DataOutputStream out, char type, Body body) throws IOException {
    var bytes = new ByteArrayOutputStream();
    body.write(new DataOutputStream(bytes));
    out.writeByte(type);
    out.writeInt(bytes.size() + 4);
    bytes.writeTo(out);
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    out.writeBytes(text);
    out.writeByte(0);
  }

  private static void status(DataOutputStream out, String name, String value) throws IOException {
    send(
        out,
        'S',
        it -> {
          text(it, name);
          text(it, value);
        });
  }

  private static void serve(Socket client) {
    try (client) {
      var in = new DataInputStream(client.getInputStream());
      var all = new ByteArrayOutputStream();
      var out = new DataOutputStream(all);
      in.skipNBytes(in.readInt() - 4);
      send(out, 'R', it -> it.writeInt(0));
      status(out, "server_version", "17.0");
      status(out, "client_encoding", "UTF8");
      status(out, "DateStyle", "ISO, MDY");
      status(out, "standard_conforming_strings", "on");
      status(out, "integer_datetimes", "on");
      status(out, "TimeZone", "UTC");
      send(out, 'K', it -> it.writeLong(7));
      send(out, 'Z', it -> it.writeByte('I'));
      client.getOutputStream().write(all.toByteArray());
      all.reset();
      String query = "";
      while (true) {
        int type = in.read();
        if (type < 0 || type == 'X') {
          return;
        }
        byte[] body = in.readNBytes(in.readInt() - 4);
        switch (type) {
          case 'P' -> {
            query = new String(body);
            send(out, '1', _ -> {});
          }
          case 'B' -> send(out, '2', _ -> {});
          case 'C' -> send(out, '3', _ -> {});
          case 'D' -> {
            if (hasRows(query)) {
              columns(out);
            } else {
              send(out, 'n', _ -> {});
            }
          }
          case 'E' -> result(out, query);
          case 'Q' -> {
            if (hasRows(new String(body))) {
              columns(out);
            }
            result(out, new String(body));
            send(out, 'Z', it -> it.writeByte('I'));
          }
          case 'S' -> send(out, 'Z', it -> it.writeByte('I'));
          default -> {}
        }
        if (type == 'S' || type == 'Q') {
          Thread.sleep((long) (Math.random() * 500));
          client.getOutputStream().write(all.toByteArray());
          all.reset();
        }
      }
    } catch (Exception _) {
      // the client has gone
    }
  }

  private static boolean hasRows(String query) {
    return hasWord(query, "select") || hasWord(query, "show");
  }

  private static boolean hasWord(String query, String word) {
    return query.toLowerCase(Locale.ROOT).contains(word);
  }

  private static void columns(DataOutputStream out) throws IOException {
    send(
        out,
        'T',
        it -> {
          it.writeShort(1);
          text(it, "count");
          it.writeInt(0);
          it.writeShort(0);
          it.writeInt(25);
          it.writeShort(-1);
          it.writeInt(-1);
          it.writeShort(0);
        });
  }

  private static void result(DataOutputStream out, String query) throws IOException {
    if (hasRows(query)) {
      send(
          out,
          'D',
          it -> {
            String value =
                hasWord(query, "show") ? "read committed" : "count " + COUNT.incrementAndGet();
            it.writeShort(1);
            it.writeInt(value.length());
            it.writeBytes(value);
          });
    }
    send(out, 'C', it -> text(it, hasRows(query) ? "SELECT 1" : "SET"));
  }
}
