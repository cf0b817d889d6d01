/**
 * The messages of RSerPool on the wire: ASAP (RFC 5352) between registrars and pool elements or pool users, and ENRP
 * (RFC 5353) among registrars, built from the parameters of RFC 5354 and 5356.
 *
 * <p>Messages are values. Unknown messages and parameters are dropped, reported or skipped, as the RFCs require. Our
 * extension parameters have types that every other registrar skips.
 *
 * <p>Entry classes: {@link io.rns.rserpool.AsapCodec}, {@link io.rns.rserpool.EnrpCodec} and, to split a stream into
 * messages, {@link io.rns.rserpool.FrameReader}, which is not thread-safe. Everything else is immutable or stateless.
 */
@NullMarked
package io.rns.rserpool;

import org.jspecify.annotations.NullMarked;
