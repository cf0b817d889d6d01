/**
 * The chapters of the benchmark document: each is a resource file with the commands that measure its figures and the
 * Markdown that shows them. Results are kept as JSON, and the document is written from them alone.
 *
 * <p>Entry classes: {@link io.rns.loadtest.chapter.Measuring} and {@link io.rns.loadtest.chapter.Volume}, for one
 * thread.
 */
@NullMarked
package io.rns.loadtest.chapter;

import org.jspecify.annotations.NullMarked;
