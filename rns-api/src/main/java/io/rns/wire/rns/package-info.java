/**
 * The messages of RNS 1.0 and 1.1, with our batches and options.
 *
 * <p>Entry class: {@link io.rns.wire.rns.EntryOperations}. Codecs are immutable and safe for use by many threads.
 */
@NullMarked
package io.rns.wire.rns;

import org.jspecify.annotations.NullMarked;
