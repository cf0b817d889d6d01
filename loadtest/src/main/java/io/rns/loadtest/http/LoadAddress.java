package io.rns.loadtest.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Where a load goes.
 *
 * @param place host and port
 * @param tls makes its connections secure; empty for plain HTTP
 */
public record LoadAddress(InetSocketAddress place, Optional<SSLSocketFactory> tls) {
  /** A connection to it over a socket that is not connected yet; closing it closes the socket. */
  Socket connect(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    // Without timeouts, here and for reading: they would make the socket non-blocking, which costs two system calls
    // more per request. Whoever runs the load cuts what hangs.
    socket.connect(place);
    if (tls.isEmpty()) {
      return socket;
    }
    SSLSocket secured =
        (SSLSocket) tls.get().createSocket(socket, place.getHostString(), place.getPort(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
