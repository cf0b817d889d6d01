@NullMarked
package io.rns.server.query;

import org.jspecify.annotations.NullMarked;
