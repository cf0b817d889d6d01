/**
 * Files with secrets of one user. Entry class: {@link io.rns.file.PrivateFile}, which is immutable; processes and
 * threads that change the same file take its lock.
 */
@NullMarked
package io.rns.file;

import org.jspecify.annotations.NullMarked;
