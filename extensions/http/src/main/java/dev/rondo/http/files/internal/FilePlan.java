package dev.rondo.http.files.internal;

import io.netty.handler.codec.http.HttpResponseStatus;

/// The part of a file that is sent, and the status of the response.
///
/// @param status 200, 206, 304, 412 or 416
/// @param from the first byte
/// @param lengthBytes of the body, also if the client wants only the head
public record FilePlan(HttpResponseStatus status, long from, long lengthBytes) {

  static FilePlan whole(FileFacts facts) {
    return new FilePlan(HttpResponseStatus.OK, 0, facts.sizeBytes());
  }

  static FilePlan part(long from, long lengthBytes) {
    return new FilePlan(HttpResponseStatus.PARTIAL_CONTENT, from, lengthBytes);
  }

  static FilePlan without(HttpResponseStatus status) {
    return new FilePlan(status, 0, 0);
  }

  public boolean isPart() {
    return status.equals(HttpResponseStatus.PARTIAL_CONTENT);
  }

  /// Whether the response has the file or a part of it.
  public boolean hasContent() {
    return isPart() || status.equals(HttpResponseStatus.OK);
  }
}
