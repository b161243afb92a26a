package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;

final class HttpStatusExceptionTest {

  @Test
  void refusal_ofTheServer_hasNoStack() {
    HttpStatusException made =
        HttpStatusException.refusal(HttpResponseStatus.NOT_FOUND, "there is no such page");
    assertEquals(0, made.getStackTrace().length);
    assertEquals(HttpResponseStatus.NOT_FOUND, made.status());
    assertEquals("there is no such page", made.getMessage());
  }

  @Test
  void exception_ofAHandler_hasItsStack() {
    var made = new HttpStatusException(HttpResponseStatus.GONE, "it was here");
    assertTrue(made.getStackTrace().length > 0);
  }
}
