/**
 * A GlassFish module in front of the container on an HTTP listener. It passes only well-formed requests for the paths
 * of the service, and only while the service is deployed. It answers all other requests itself.
 *
 * <p>Entry class: {@link io.rns.guard.GuardAddOn}, which GlassFish loads for each listener with
 * {@code comet-support-enabled}. All classes are safe for use by many threads.
 */
@NullMarked
package io.rns.guard;

import org.jspecify.annotations.NullMarked;
