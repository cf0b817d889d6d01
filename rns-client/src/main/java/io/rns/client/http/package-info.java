/**
 * HTTP for calls: kept connections to one server each, deadlines that also hold while a server sends, answers bounded
 * by bytes. Other requests go through {@link io.rns.client.http.HttpCalls}.
 */
@NullMarked
package io.rns.client.http;

import org.jspecify.annotations.NullMarked;
