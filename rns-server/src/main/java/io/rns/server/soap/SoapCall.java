package io.rns.server.soap;

import io.rns.api.Caller;

/**
 * What the transport knows of a request.
 *
 * @param caller who is asking
 * @param url the URL that was asked
 */
record SoapCall(Caller caller, String url) {}
