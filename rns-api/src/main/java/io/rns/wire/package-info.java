/**
 * What all SOAP messages share: the envelope with our extension headers, faults, references, and the contract of a
 * codec, which reads and writes one operation. The packages below have the codecs, by standard. No transport and no
 * tree of the message.
 *
 * <p>Entry classes: {@link io.rns.wire.Envelope}, {@link io.rns.wire.Faults} and {@link io.rns.wire.OperationCodec}.
 * Codecs are stateless and safe to share between threads; readers and buffers are not.
 */
@NullMarked
package io.rns.wire;

import org.jspecify.annotations.NullMarked;
