SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO',
  time_zone = '+00:00',
  autocommit = 1,
  sql_auto_is_null = 0,
  lc_messages = 'en_US',
  sql_select_limit = 18446744073709551615,
  sql_safe_updates = 0,
  completion_type = 0,
  foreign_key_checks = 1,
  unique_checks = 1,
  div_precision_increment = 4,
  innodb_lock_wait_timeout = 11,
  lock_wait_timeout = 11,
  max_sort_length = 4096,
  wait_timeout = 25,
  net_read_timeout = 20,
  net_write_timeout = 20;
SET SESSION sort_buffer_size = CAST(GREATEST(@@sort_buffer_size, 2097152) AS UNSIGNED);
SET NAMES utf8mb4;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET SESSION max_execution_time = 10000;
SET SESSION session_track_gtids = OWN_GTID;
-- A session that writes nothing;
SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO',
  time_zone = '+00:00',
  autocommit = 1,
  sql_auto_is_null = 0,
  lc_messages = 'en_US',
  sql_select_limit = 18446744073709551615,
  sql_safe_updates = 0,
  completion_type = 0,
  foreign_key_checks = 1,
  unique_checks = 1,
  div_precision_increment = 4,
  innodb_lock_wait_timeout = 11,
  lock_wait_timeout = 11,
  max_sort_length = 4096,
  net_write_timeout = 60;
SET SESSION sort_buffer_size = CAST(GREATEST(@@sort_buffer_size, 2097152) AS UNSIGNED);
SET NAMES utf8mb4;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET SESSION max_execution_time = 10000;
SET SESSION session_track_gtids = OWN_GTID
