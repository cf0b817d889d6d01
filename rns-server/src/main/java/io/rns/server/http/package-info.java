/**
 * What the entrances over HTTP share, whatever they carry: who asks, what a body may be, how errors and servers are
 * told. It knows neither the operations nor the services behind them.
 */
@NullMarked
package io.rns.server.http;

import org.jspecify.annotations.NullMarked;
