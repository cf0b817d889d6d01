package io.rns.front;

import io.rns.front.message.BodyEnd;
import org.jspecify.annotations.Nullable;

/**
 * The state of a server connection that has a request.
 *
 * @param server its address
 * @param outbound bytes of the request that the kernel did not take yet
 * @param inbound bytes of the response that are not passed on yet
 * @param answer where the body of the response ends; null before its head was passed on
 * @param closes whether the connection cannot be used for another request
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record PendingAnswer(String server, byte[] outbound, byte[] inbound, @Nullable BodyEnd answer, boolean closes) {}
