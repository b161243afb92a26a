package dev.rondo.application.testing;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.scheduler.observe.Recorder;
import dev.rondo.scheduler.observe.Recording;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Records a run of a test, and draws what led to its failure.
///
/// Confined to the thread of the run, except [#addTo].
final class RunPicture {

  private static final int EVENTS = 5_000;

  /// How many events the message of a failure has.
  private static final int EVENTS_SHOWN = 40;

  /// Suppressed in the failure, so that the trace shows it.
  private static final class TimelineNote extends Exception {

    private static final long serialVersionUID = 1L;

    TimelineNote(String text) {
      super(text, null, false, false);
    }
  }

  private final Recorder recorder;

  /// Null before the run.
  private @Nullable RunParameters parameters;

  /// When the run failed; null as long as it has not. JUnit's thread reads it when the run is over.
  private volatile @Nullable Recording recording;

  private RunPicture(Recorder recorder) {
    this.recorder = recorder;
  }

  /// {@return for a run that fails for all we know}
  static RunPicture ofFailure() {
    return new RunPicture(Recorder.ofCapacity(EVENTS).withDetails());
  }

  /// {@return for a run that may have millions of waits: they have no stacks}
  static RunPicture ofAnyRun() {
    return new RunPicture(Recorder.ofCapacity(EVENTS));
  }

  /// {@return the name of a test, for a page}
  static String nameOf(ExtensionContext context) {
    return context.getRequiredTestClass().getSimpleName()
        + "."
        + context.getRequiredTestMethod().getName();
  }

  void record(ApplicationBuilder builder, RunParameters added) {
    builder.scheduler(it -> it.recorder(recorder));
    parameters = added;
    added.record();
  }

  /// The run has failed. What comes after the first failure is cleaning up.
  void failed(Throwable failure) {
    if (recording != null) {
      return;
    }
    RunParameters added = parameters;
    Recording ofParameter = added == null ? null : added.recording(failure);
    if (ofParameter == null) {
      recorder.failure(String.valueOf(failure), failure);
      recording = recorder.recording();
    } else {
      recording = ofParameter;
    }
  }

  /// Adds the last events to a failure, and the path of a page. Does nothing if the run has not
  /// failed.
  ///
  /// @param name of the test
  void addTo(Throwable failure, String name) {
    Recording taken = recording;
    if (taken == null) {
      return;
    }
    String text = RecordingPicture.text(taken, EVENTS_SHOWN);
    try {
      text += "drawn in " + RecordingPicture.keep(taken, name);
    } catch (IOException e) {
      text += "not drawn: " + e;
    }
    failure.addSuppressed(new TimelineNote(text));
  }
}
