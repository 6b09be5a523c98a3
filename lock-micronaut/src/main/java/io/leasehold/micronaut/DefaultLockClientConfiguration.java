package io.leasehold.micronaut;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.convert.format.MapFormat.MapTransformation;
import jakarta.inject.Named;
import java.util.Map;

/** The client that is used where none is named. */
@Primary
@Named(DefaultLockClientConfiguration.NAME)
@Requires(property = DefaultLockClientConfiguration.PREFIX + ".url")
@ConfigurationProperties(DefaultLockClientConfiguration.PREFIX)
class DefaultLockClientConfiguration extends LockClientConfiguration {
  static final String NAME = "default";
  static final String PREFIX = "leasehold";

  DefaultLockClientConfiguration() {
    super(NAME, PREFIX);
  }

  /** Where the locks are kept: a lock URL such as {@code lock:redis://localhost:6379}. */
  void setUrl(String value) {
    url(value);
  }

  /** Options of the URL ({@code lease-time}, {@code wait-time}, …); they win over the URL's. */
  void setOptions(@MapFormat(transformation = MapTransformation.FLAT) Map<String, String> values) {
    options(values);
  }
}
