/**
 * A sampler for Apache JMeter: one operation of a name service is one sample, made by the Java client. The package and
 * what it needs are packed into one jar for JMeter's {@code lib/ext}, whose libraries are older; so it is compiled for
 * Java 17, and uses nothing else of this module.
 *
 * <p>Entry class: {@link io.rns.loadtest.jmeter.RnsSampler}, of which JMeter makes one for each thread; the connections
 * that they share are safe for use by many threads.
 */
@NullMarked
package io.rns.loadtest.jmeter;

import org.jspecify.annotations.NullMarked;
