package io.rns.client.http;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents one certificate: to every server that asks for one, whatever authorities it names, since the issuer of a
 * proxy certificate is none; and to clients. Immutable.
 */
final class CertificateKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "own";

  private final X509Certificate[] chain;
  private final PrivateKey key;

  CertificateKeys(ClientCertificate.Loaded loaded) {
    this.chain = loaded.chain().toArray(X509Certificate[]::new);
    this.key = loaded.key();
  }

  private @Nullable String alias(String[] keyTypes) {
    return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers,
      @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return keyType.equals(key.getAlgorithm()) ? new String[]{ALIAS} : null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? chain.clone() : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? key : null;
  }

  @Override
  public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(new String[]{keyType});
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(new String[]{keyType});
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return getClientAliases(keyType, issuers);
  }
}
