package io.rns.loadtest.jmeter;

import io.rns.api.CallContext;
import io.rns.api.NameService;

/**
 * What one sample is about.
 *
 * @param names the service
 * @param call what accompanies the request
 * @param path of the entry or directory
 * @param reference the address that an entry is to have; empty for none
 */
record Sample(NameService names, CallContext call, String path, String reference) {}
