/**
 * What the entrances over HTTP share, whatever they carry: callers, limits of bodies, errors and server lists in
 * responses. It knows neither the operations nor the services behind them.
 */
@NullMarked
package io.rns.server.http;

import org.jspecify.annotations.NullMarked;
