/// Calls of gRPC as tasks: [dev.rondo.grpc.GrpcCalls].
@NullMarked
package dev.rondo.grpc;

import org.jspecify.annotations.NullMarked;
