/**
 * The figures that are claimed, in chapters: each is a few command lines that anybody can type, and what is told of
 * their results. What was measured is kept as JSON, and the document is written from that alone, so that no figure is
 * typed by hand.
 *
 * <p>Entry classes: {@link io.rns.loadtest.chapter.Measuring} and {@link io.rns.loadtest.chapter.Volume}. Everything is
 * for one thread.
 */
@NullMarked
package io.rns.loadtest.chapter;

import org.jspecify.annotations.NullMarked;
