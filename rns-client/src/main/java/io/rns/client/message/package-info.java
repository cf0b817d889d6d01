/**
 * Calls as messages: what the client sends, and how it reads answers, of RNS servers and of servers that know only the
 * standards.
 *
 * <p>Entry classes: {@link io.rns.client.message.RemoteCall} and {@link io.rns.client.message.StandardCall}, both
 * immutable.
 */
@NullMarked
package io.rns.client.message;

import org.jspecify.annotations.NullMarked;
