/** What all entrances over HTTP share. */
@org.jspecify.annotations.NullMarked
package io.rns.server.http;
