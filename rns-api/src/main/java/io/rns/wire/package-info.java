/**
 * Parts shared by all SOAP messages: the envelope with our extension headers, faults, references, and the contract of a
 * codec, which reads and writes one operation. The packages below contain the codecs, by specification. Independent of
 * transport; no DOM.
 *
 * <p>Entry classes: {@link io.rns.wire.Envelope}, {@link io.rns.wire.Faults} and {@link io.rns.wire.OperationCodec}.
 * Codecs are stateless and safe to share between threads; readers and buffers are not.
 */
@NullMarked
package io.rns.wire;

import org.jspecify.annotations.NullMarked;
