package dev.rondo.observe.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Another parser reads back exactly what was written.
class JsonWriterTest {

  private static final int ROUNDS = 5_000;
  private static final int DEEPEST = 5;

  /// Writes a random value, and builds the same value for Gson.
  private static JsonElement value(Random random, JsonWriter json, int depth) throws IOException {
    return switch (random.nextInt(depth < DEEPEST ? 5 : 3)) {
      case 0 -> {
        String text = text(random);
        json.value(text);
        yield new JsonPrimitive(text);
      }
      case 1 -> {
        long number = random.nextLong();
        json.value(number);
        yield new JsonPrimitive(number);
      }
      case 2 -> {
        boolean truth = random.nextBoolean();
        json.value(truth);
        yield new JsonPrimitive(truth);
      }
      case 3 -> {
        var array = new JsonArray();
        json.beginArray();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(random, json, depth + 1));
        }
        json.endArray();
        yield array;
      }
      default -> {
        var object = new JsonObject();
        json.beginObject();
        for (int i = random.nextInt(4); i > 0; i--) {
          String name = i + text(random); // unique
          json.name(name);
          object.add(name, value(random, json, depth + 1));
        }
        json.endObject();
        yield object;
      }
    };
  }

  /// Any UTF-16, well-formed or not, with what needs an escape more often than by chance.
  private static String text(Random random) {
    String special = "\"\\\n\r\t\b\f\0\u001f\u007f\u2028\u2029\ud800\udc00\uffff/'";
    var text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(
          random.nextBoolean()
              ? special.charAt(random.nextInt(special.length()))
              : (char) random.nextInt(Character.MAX_VALUE + 1));
    }
    return text.toString();
  }

  @Test
  void write_anything_isReadBackTheSame() throws IOException {
    for (long seed = 0; seed < ROUNDS; seed++) {
      var random = new Random(seed);
      var out = new StringBuilder();
      JsonElement expected = value(random, new JsonWriter(out), 0);
      byte[] sent = out.toString().getBytes(StandardCharsets.UTF_8);
      JsonElement read = JsonParser.parseString(new String(sent, StandardCharsets.UTF_8));
      assertEquals(expected.toString(), read.toString(), "seed " + seed + ": " + out);
    }
  }

  @Test
  void write_nestedMembers_areSeparatedExactly() throws IOException {
    var out = new StringBuilder();
    var json = new JsonWriter(out);
    json.beginObject();
    json.name("a").beginArray();
    json.value(1);
    json.value("x\u0001");
    json.beginObject();
    json.endObject();
    json.endArray();
    json.name("b").value(true);
    json.endObject();
    assertEquals("{\"a\":[1,\"x\\u0001\",{}],\"b\":true}", out.toString());
  }
}
