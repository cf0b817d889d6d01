/**
 * HTTP for calls: kept connections to one server each, deadlines that also hold while a server sends, answers bounded
 * by bytes.
 */
@NullMarked
package io.rns.client.http;

import org.jspecify.annotations.NullMarked;
