/// The kernel as the other modules of Rondo use it, beyond the interfaces of programs and add-ons.
/// Exported only to these modules.
///
/// A backend that runs user code itself has a [TurnRunner]. [ReportText] formats texts for people.
@NullMarked
package dev.rondo.scheduler.internal;

import org.jspecify.annotations.NullMarked;
