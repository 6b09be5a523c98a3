package io.leasehold.redis;

import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;

/**
 * Factories that return what they were made with, for drivers that want a factory. Vert.x has the
 * same, and its own log through SLF4J, which it does not bring: without SLF4J on the class path,
 * TLS would end with a missing class.
 */
public final class TlsFactories {
  private TlsFactories() {}

  /** A factory of one trust manager. */
  public static TrustManagerFactory of(TrustManager trust) {
    return new TrustManagerFactory(new Trust(trust), null, "leasehold") {};
  }

  /** A factory of one key manager. */
  public static KeyManagerFactory of(KeyManager keys) {
    return new KeyManagerFactory(new Keys(keys), null, "leasehold") {};
  }

  private static final class Trust extends TrustManagerFactorySpi {
    private final TrustManager trust;

    Trust(TrustManager trust) {
      this.trust = trust;
    }

    @Override
    protected void engineInit(KeyStore store) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected TrustManager[] engineGetTrustManagers() {
      return new TrustManager[] {trust};
    }
  }

  private static final class Keys extends KeyManagerFactorySpi {
    private final KeyManager keys;

    Keys(KeyManager keys) {
      this.keys = keys;
    }

    @Override
    protected void engineInit(KeyStore store, char[] password) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected KeyManager[] engineGetKeyManagers() {
      return new KeyManager[] {keys};
    }
  }
}
