/**
 * A module of GlassFish that stands before its container on an HTTP listener: only requests for the paths of the
 * service pass, only well-formed ones, and only while the service is deployed. All other requests get an answer from
 * here.
 *
 * <p>Entry class: {@link io.rns.guard.GuardAddOn}, which GlassFish loads for each listener with
 * {@code comet-support-enabled}. All classes are safe for use by many threads.
 */
@NullMarked
package io.rns.guard;

import org.jspecify.annotations.NullMarked;
