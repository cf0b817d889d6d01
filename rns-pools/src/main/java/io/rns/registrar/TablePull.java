package io.rns.registrar;

import io.rns.rserpool.ElementName;
import java.util.Optional;

/**
 * A table that is being read from a peer, block by block.
 *
 * @param peer of whom
 * @param audit the audit it is for; none: the table of everything, at the start
 * @param after the last element that came; an empty handle at the beginning
 * @param until when the next block has to be there
 */
record TablePull(int peer, Optional<Long> audit, ElementName after, long until) {}
