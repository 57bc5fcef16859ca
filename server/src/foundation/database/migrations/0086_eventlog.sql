-- How many partitions the log has is chosen here, for a log that has no entry yet, and recorded by
-- the rows of eventlog_partition: a device's partition is a hash modulo their number.
insert into eventlog_partition (part)
select generate_series(4, current_setting('millrace.log_partitions')::integer - 1)
where not exists (select from eventlog_partition where next > 1);

insert into eventlog_expired (part)
select part from eventlog_partition where part not in (select part from eventlog_expired);

-- The process that reads a partition for the consumers.
create table eventlog_lease (
  part smallint primary key,
  owner text not null,
  leased_until bigint not null,    -- microseconds, the database's clock
  epoch bigint not null            -- counts the changes of owner
) with (fillfactor = 10);

-- The processes that read the log, so that each takes its share of the partitions.
create table eventlog_worker (
  id text primary key,
  seen_until bigint not null       -- microseconds, the database's clock
) with (fillfactor = 10);
