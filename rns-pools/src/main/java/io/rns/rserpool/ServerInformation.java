package io.rns.rserpool;

/**
 * A registrar and where its peers reach it (RFC 5354, section 3.11).
 *
 * @param id its id, unsigned
 * @param transport SCTP in the standard; our registrars listen on TCP
 */
public record ServerInformation(int id, Transport transport) {}
