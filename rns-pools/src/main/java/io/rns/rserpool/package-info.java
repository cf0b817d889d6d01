/**
 * The messages of RSerPool, as they are on the wire: ASAP (RFC 5352), by which pool elements and pool users speak with
 * registrars, and ENRP (RFC 5353), by which registrars speak with each other, made of the parameters of RFC 5354 and
 * 5356.
 *
 * <p>Messages are values. What does not follow the RFCs is told apart as they ask for it: dropped, reported, or
 * skipped. Parameters of our own have types that every other registrar skips.
 *
 * <p>Entry classes: {@link io.rns.rserpool.AsapCodec}, {@link io.rns.rserpool.EnrpCodec} and, to cut a stream into
 * messages, {@link io.rns.rserpool.FrameReader}, which is for one thread at a time. Everything else is immutable or
 * without state.
 */
@NullMarked
package io.rns.rserpool;

import org.jspecify.annotations.NullMarked;
