package dev.rondo.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/// Lets a [MessageArrival] end its call. The service sees a call that the client has cancelled.
final class EndableCalls implements ServerInterceptor {

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    MessageArrival arrival = MessageArrival.ofCall();
    if (arrival == null) {
      return next.startCall(call, headers);
    }
    var endable = new EndableCall<>(call);
    arrival.begin(call.getAttributes(), endable::end);
    return endable.listener(next.startCall(endable, headers));
  }

  /// A call that may have ended before the service ends it.
  private static final class EndableCall<Q, R> extends SimpleForwardingServerCall<Q, R> {

    /// Null until the service has one.
    private ServerCall.@Nullable Listener<Q> service;

    /// Whether the service has closed the call.
    private volatile boolean closed;

    /// Whether the call has ended without the service.
    private volatile boolean ended;

    EndableCall(ServerCall<Q, R> call) {
      super(call);
    }

    ServerCall.Listener<Q> listener(ServerCall.Listener<Q> ofService) {
      service = ofService;
      return new Filter(ofService);
    }

    void end(Status status) {
      if (!closed && !super.isCancelled()) {
        ended = true;
        super.close(status, new Metadata());
        ServerCall.Listener<Q> told = service;
        if (told != null) {
          told.onCancel();
        }
      }
    }

    @Override
    public void request(int count) {
      if (!ended) {
        super.request(count);
      }
    }

    @Override
    public void sendHeaders(Metadata headers) {
      if (!ended) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public void sendMessage(R message) {
      if (!ended) {
        super.sendMessage(message);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      closed = true;
      if (!ended) {
        super.close(status, trailers);
      }
    }

    @Override
    public boolean isCancelled() {
      return ended || super.isCancelled();
    }

    /// Drops the events of a call that has ended.
    private final class Filter extends SimpleForwardingServerCallListener<Q> {

      Filter(ServerCall.Listener<Q> service) {
        super(service);
      }

      @Override
      public void onMessage(Q message) {
        if (!ended) {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!ended) {
          super.onHalfClose();
        }
      }

      @Override
      public void onCancel() {
        if (!ended) {
          super.onCancel();
        }
      }

      @Override
      public void onComplete() {
        if (!ended) {
          super.onComplete();
        }
      }

      @Override
      public void onReady() {
        if (!ended) {
          super.onReady();
        }
      }
    }
  }
}
