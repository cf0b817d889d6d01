package io.rns.wire.resource;

import io.rns.api.NameService;
import io.rns.wire.WsNames;
import java.time.InstantSource;

/**
 * The dependencies of operations on resources.
 *
 * @param service the namespace
 * @param names the references of its directories
 * @param iterators the iterators
 * @param queries the evaluator of expressions
 * @param clock the source of time
 */
public record Resources(
    NameService service, WsNames names, Iterators iterators, PropertyQueries queries, InstantSource clock) {}
