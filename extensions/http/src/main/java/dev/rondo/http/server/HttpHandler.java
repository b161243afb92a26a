package dev.rondo.http.server;

/// Answers requests.
@FunctionalInterface
public interface HttpHandler {

  /// Answers a request, in a task of its own. May suspend. Must respond before it returns. The
  /// unread rest of the request's body is skipped.
  ///
  /// @param exchange the request and its response
  /// @throws HttpStatusException to respond with a status, unless the response has begun
  /// @throws Exception a failure: the scheduler's [dev.rondo.scheduler.FailureHandler] receives it,
  ///   and the client receives status 500, or the end of its connection if the response has begun
  void handle(HttpExchange exchange) throws Exception;
}
