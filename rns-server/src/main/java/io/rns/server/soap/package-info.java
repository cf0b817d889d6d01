/**
 * RNS 1.0 over SOAP. Two entrances at one URL share one {@link io.rns.server.soap.SoapEndpoint}:
 * {@link io.rns.server.soap.SoapFilter} answers plain messages itself; all others go on to the JAX-WS providers.
 *
 * <p>Entry class: {@link io.rns.server.soap.SoapEndpoint}, which is safe for use by many threads; a
 * {@link io.rns.server.soap.Reply} belongs to one.
 */
@NullMarked
package io.rns.server.soap;

import org.jspecify.annotations.NullMarked;
