package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.rns.error.RnsError;

/**
 * Answers plain HTTP on a port of HTTPS by status 426 (RFC 9110, section 15.5.22), as servers do, and closes the
 * connection.
 */
final class PlainHttpRefusal extends ChannelInboundHandlerAdapter {
  private static final int UPGRADE_REQUIRED = 426;

  private boolean refused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    boolean http = bytes.isReadable() && Character.isUpperCase(bytes.getByte(bytes.readerIndex()));
    bytes.release();
    if (refused) {
      return;
    }
    refused = true;
    if (http) {
      context.writeAndFlush(FrontReply.error(null, "", UPGRADE_REQUIRED, RnsError.INVALID_REQUEST,
          "this port takes HTTPS only; use https:// in the URL", true)).addListener(ChannelFutureListener.CLOSE);
    } else {
      var unused = context.close();
    }
  }
}
