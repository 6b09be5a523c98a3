package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerInfoTest {
  private static final String SERVER =
      "# Server\r\nredis_version:7.0.15\r\nrun_id:8b63da\r\nserver_time_usec:1794801418155512\r\n";

  @Test
  void theIdentityComesFromOneReply() {
    assertThat(new ServerInfo(SERVER + "\r\n# Replication\r\nrole:master\r\n").identity())
        .isEqualTo(new Identity("8b63da", Identity.Role.PRIMARY, 1_794_801_418_155_512L));
    assertThat(new ServerInfo(SERVER + "role:slave\r\n").identity().role())
        .isEqualTo(Identity.Role.REPLICA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "role:master",
        "run_id:a\r\nrole:king\r\nserver_time_usec:1",
        "run_id:a b\r\nrole:master\r\nserver_time_usec:1",
        "run_id:a\r\nrole:master\r\nserver_time_usec:-1",
        "run_id:a\r\nrole:master\r\nserver_time_usec:99999999999999999999"
      })
  void anythingElseIsUnreadable(String info) {
    assertThatThrownBy(() -> new ServerInfo(info).identity())
        .isInstanceOf(UnreadableReplyException.class);
  }

  @Test
  void onlyALimitedMemoryWithAnEvictionPolicyDropsLocks() {
    assertThat(new ServerInfo("maxmemory:0\r\nmaxmemory_policy:allkeys-lru").mayEvict()).isFalse();
    assertThat(new ServerInfo("maxmemory:100\r\nmaxmemory_policy:noeviction").mayEvict()).isFalse();
    assertThat(new ServerInfo("maxmemory:100\r\nmaxmemory_policy:volatile-ttl").mayEvict())
        .isTrue();
    assertThat(new ServerInfo("").mayEvict()).isFalse();
  }
}
