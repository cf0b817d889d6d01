/**
 * Expressions of callers, evaluated so that what they cost is bounded whatever they say, and that they reach nothing
 * but the document they are about.
 *
 * <p>Entry class: {@link io.rns.server.query.XPathQueries} and {@link io.rns.server.query.Searches}, which are
 * thread-safe.
 */
@NullMarked
package io.rns.server.query;

import org.jspecify.annotations.NullMarked;
