/** Tests of chapters: how they are run, with a launcher that only seems to be one, and what is written of results. */
@NullMarked
package io.rns.loadtest.chapter;

import org.jspecify.annotations.NullMarked;
