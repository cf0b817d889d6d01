/**
 * RNS 1.0 and 1.1, resource properties and naming in SOAP messages: one codec per operation, each in both directions,
 * the envelope with our extension headers, batches and faults. No transport and no tree of the message.
 *
 * <p>Entry classes: {@link io.rns.wire.RemoteCall} for a client, {@link io.rns.wire.RequestReader} and
 * {@link io.rns.wire.Faults} for a server. Codecs are stateless and safe to share between threads; readers and buffers
 * are not.
 */
@NullMarked
package io.rns.wire;

import org.jspecify.annotations.NullMarked;
