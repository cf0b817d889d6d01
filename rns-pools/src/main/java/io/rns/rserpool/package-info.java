/**
 * The messages of RSerPool on the wire: ASAP (RFC 5352) between registrars and pool elements or pool users, and ENRP
 * (RFC 5353) among registrars, built from the parameters of RFC 5354 and 5356.
 *
 * <p>Messages are values. Unknown messages and parameters are dropped, reported or skipped, as the RFCs require. Our
 * extension parameters, 0xa521 to 0xa528 ({@link io.rns.rserpool.ParameterType}), have types that every other registrar
 * skips, and our ENRP message 0x2b, reports of users, one that it drops.
 *
 * <p>What the RFCs leave open: a message has at most 65,535 bytes; a length excludes the padding at the very end, and
 * messages that include it are accepted; parameters are expected in the order of the figures; reserved bits are
 * ignored; bit 0 of the flags of {@code ENRP_PRESENCE} requests a reply (RFC 5353, 3.4; its figure lacks it); endpoints
 * other than one TCP or UDP address are an opaque transport: for each reference 32 bits of length, then its XML.
 *
 * <p>Entry classes: {@link io.rns.rserpool.AsapCodec}, {@link io.rns.rserpool.EnrpCodec} and, to split a stream into
 * messages, {@link io.rns.rserpool.FrameReader}, which is not thread-safe. Everything else is immutable or stateless.
 */
@NullMarked
package io.rns.rserpool;

import org.jspecify.annotations.NullMarked;
