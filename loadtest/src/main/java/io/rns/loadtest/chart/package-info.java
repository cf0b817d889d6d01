/**
 * Line charts as SVG or PNG, for reports, figures and the benchmark document. Entry class:
 * {@link io.rns.loadtest.chart.LineChart}, for one thread.
 */
@NullMarked
package io.rns.loadtest.chart;

import org.jspecify.annotations.NullMarked;
