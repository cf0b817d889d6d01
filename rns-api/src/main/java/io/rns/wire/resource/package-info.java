/**
 * The messages of the specifications besides RNS: WSRF properties and lifetime, WS-Naming resolvers, WS-Iterator,
 * search.
 *
 * <p>Entry class: {@link io.rns.wire.resource.ResourceOperations}. Codecs are immutable and safe for use by many
 * threads.
 */
@NullMarked
package io.rns.wire.resource;

import org.jspecify.annotations.NullMarked;
