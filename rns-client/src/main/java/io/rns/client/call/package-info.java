/** What every call to a server is made of, whatever carries it: its deadline, its retries and its failures. */
@NullMarked
package io.rns.client.call;

import org.jspecify.annotations.NullMarked;
