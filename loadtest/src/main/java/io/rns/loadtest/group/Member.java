package io.rns.loadtest.group;

import java.net.URI;

/**
 * A server of the group as it runs now.
 *
 * @param name such as {@code server-1}
 * @param url such as {@code http://127.0.0.1:8080/rns}; the same as long as the group runs
 * @param serverPid its application server
 * @param databasePid its database
 */
public record Member(String name, URI url, long serverPid, long databasePid) {}
