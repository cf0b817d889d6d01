/** An issuer of tokens for tests: a real HTTP server with a discovery document and keys. */
@NullMarked
package io.rns.issuer;

import org.jspecify.annotations.NullMarked;
