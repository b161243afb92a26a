package dev.rondo.simulation.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// Makes each operation at once, on the calling thread, so that runs are the same. Handlers are
/// called there, too, or by the executor that the channel was opened with.
final class DiskAsyncChannel extends AsynchronousFileChannel {

  private final FileChannel channel;
  private final Executor executor;

  DiskAsyncChannel(FileChannel channel, @Nullable ExecutorService executor) {
    this.channel = channel;
    this.executor = executor == null ? Runnable::run : executor;
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public AsynchronousFileChannel truncate(long size) throws IOException {
    channel.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    channel.force(metaData);
  }

  @Override
  public <A extends @Nullable Object> void lock(
      long position,
      long size,
      boolean shared,
      A attachment,
      CompletionHandler<FileLock, ? super A> handler) {
    handle(lock(position, size, shared), attachment, handler);
  }

  @Override
  public CompletableFuture<FileLock> lock(long position, long size, boolean shared) {
    return made(() -> channel.lock(position, size, shared));
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return channel.tryLock(position, size, shared);
  }

  @Override
  public <A extends @Nullable Object> void read(
      ByteBuffer dst, long position, A attachment, CompletionHandler<Integer, ? super A> handler) {
    handle(read(dst, position), attachment, handler);
  }

  @Override
  public CompletableFuture<Integer> read(ByteBuffer dst, long position) {
    return made(() -> channel.read(dst, position));
  }

  @Override
  public <A extends @Nullable Object> void write(
      ByteBuffer src, long position, A attachment, CompletionHandler<Integer, ? super A> handler) {
    handle(write(src, position), attachment, handler);
  }

  @Override
  public CompletableFuture<Integer> write(ByteBuffer src, long position) {
    return made(() -> channel.write(src, position));
  }

  /// Wrong arguments fail at once, other failures go to the result.
  private static <V> CompletableFuture<V> made(Callable<V> operation) {
    try {
      return CompletableFuture.completedFuture(operation.call());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <V, A extends @Nullable Object> void handle(
      CompletableFuture<V> result, A attachment, CompletionHandler<V, ? super A> handler) {
    executor.execute(() -> {
      if (result.isCompletedExceptionally()) {
        handler.failed(result.exceptionNow(), attachment);
      } else {
        handler.completed(result.resultNow(), attachment);
      }
    });
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
