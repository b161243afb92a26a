package dev.rondo.junit;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.observe.Observers;
import dev.rondo.observe.Recording;
import dev.rondo.observe.internal.RecorderCore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Records a run of a test, and draws what led to its failure.
///
/// Confined to the thread of the run, except [#addTo].
final class RunPicture {

  private static final int EVENTS = 5_000;

  private final RecorderCore recorder;

  /// When the run failed; null as long as it has not. JUnit's thread reads it when the run is over.
  private volatile @Nullable Recording recording;

  private RunPicture(RecorderCore recorder) {
    this.recorder = recorder;
  }

  /// {@return a recorder for a run that is expected to fail}
  static RunPicture ofFailure() {
    return new RunPicture(new RecorderCore(EVENTS).withDetails());
  }

  /// {@return a recorder for a run that may have millions of waits, which are recorded without
  /// stacks}
  static RunPicture ofAnyRun() {
    return new RunPicture(new RecorderCore(EVENTS));
  }

  /// {@return the name of a test, for a page}
  static String nameOf(ExtensionContext context) {
    return context.getRequiredTestClass().getSimpleName()
        + "."
        + context.getRequiredTestMethod().getName();
  }

  void record(ApplicationBuilder builder, RunParameters added) {
    if (!added.record(recorder)) {
      builder.scheduler(it -> it.instrument(new Observers().recorder(recorder)));
    }
  }

  /// Called when the run has failed. Later failures belong to the cleanup.
  void failed(Throwable failure) {
    if (recording == null) {
      String message = failure.getMessage();
      String type = failure.getClass().getSimpleName();
      recorder.failure(message == null ? type : type + ": " + message, failure);
      recording = recorder.recording();
    }
  }

  /// Adds the last events to a failure, and the path of a page. Does nothing if the run has not
  /// failed.
  ///
  /// @param name of the test
  void addTo(Throwable failure, String name) {
    Recording taken = recording;
    if (taken != null) {
      failure.addSuppressed(RecordingPicture.note(taken, name));
    }
  }
}
