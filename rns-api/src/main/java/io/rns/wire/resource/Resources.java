package io.rns.wire.resource;

import io.rns.api.NameService;
import io.rns.wire.WsNames;
import java.time.InstantSource;

/**
 * What operations on resources ask.
 *
 * @param service the namespace
 * @param names the references of its directories
 * @param iterators the iterators
 * @param queries what evaluates expressions
 * @param clock what tells the time
 */
public record Resources(
    NameService service, WsNames names, Iterators iterators, PropertyQueries queries, InstantSource clock) {}
