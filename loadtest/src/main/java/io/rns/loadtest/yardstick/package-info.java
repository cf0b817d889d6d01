/**
 * A web application to compare the service with, in the same application server: what it costs to answer at all.
 *
 * <p>It has {@link io.rns.loadtest.yardstick.EchoServlet} and {@link io.rns.loadtest.yardstick.NullOperation}, both
 * stateless and thread-safe, and is packed as {@code yardstick.war}.
 */
@NullMarked
package io.rns.loadtest.yardstick;

import org.jspecify.annotations.NullMarked;
