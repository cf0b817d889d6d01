/**
 * The HTTP/1.1 side of the load generator: connections that send prepared bytes and recognise answers by their framing.
 *
 * <p>It shares its processors with the server it measures, so it does as little as it can per request: the bytes of
 * requests are made beforehand, answers are scanned for faults, nothing is parsed. A blocking connection per platform
 * thread costs a third less processor time per request than one selector loop for all of them, and HttpCore, which the
 * client uses, takes three times as much per call as a raw socket (docs/decisions/http-client.md).
 *
 * <p>Entry class: {@link io.rns.loadtest.http.RawConnection}. Connections are for one thread each.
 */
@NullMarked
package io.rns.loadtest.http;

import org.jspecify.annotations.NullMarked;
