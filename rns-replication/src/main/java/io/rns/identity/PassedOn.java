package io.rns.identity;

import io.rns.api.Caller;

/**
 * The caller of a message that another server passed on.
 *
 * @param server name of the server that passed it on
 * @param digest SHA-256 of the message that was signed, in hexadecimal; to be compared with the one that came
 */
public record PassedOn(Caller caller, String server, String digest) {}
