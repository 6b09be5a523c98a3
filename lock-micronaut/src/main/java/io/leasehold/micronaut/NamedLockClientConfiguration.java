package io.leasehold.micronaut;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.convert.format.MapFormat.MapTransformation;
import java.util.Map;

/** A client with a name; the one called {@code default} is used where none is named. */
@EachProperty(
    value = NamedLockClientConfiguration.PREFIX,
    primary = DefaultLockClientConfiguration.NAME)
class NamedLockClientConfiguration extends LockClientConfiguration {
  static final String PREFIX = "leasehold.clients";

  NamedLockClientConfiguration(@Parameter String name) {
    super(name, PREFIX + "." + name);
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
