/**
 * The servers and the pools of this namespace for tools that speak DNS only: an authoritative server of one zone, over
 * UDP and TCP (RFC 1034, 1035), with SRV (RFC 2782) and addresses. Messages are read and written by dnsjava;
 * docs/pools.md says which name stands for what.
 *
 * <p>Entry class: {@link io.rns.server.dns.DnsServer}, which is thread-safe. Everything else is immutable, or belongs
 * to one thread where it says so.
 */
@NullMarked
package io.rns.server.dns;

import org.jspecify.annotations.NullMarked;
