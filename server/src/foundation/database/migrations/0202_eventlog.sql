-- The order of numbers is the order of commits: an append takes its numbers under the row lock of
-- its partition, so a reader that remembers a position never skips an entry.
create table eventlog_partition (
  part smallint primary key,
  next bigint not null default 1
) with (fillfactor = 10);

create table eventlog_entry (
  part smallint not null,
  seq bigint not null,
  at bigint not null,              -- microseconds, the server's clock when the entry was taken
  business_id text not null,
  connector_id text not null,
  identity text not null,
  kind text not null,
  body text not null,              -- JSON; its shape belongs to the kind
  primary key (part, seq)
);

-- The connector's activity log: the newest entries of one connector.
create index eventlog_entry_connector on eventlog_entry (connector_id, at);

-- Values that the cloud set, by position: a process that looks for what others committed reads
-- only these.
create index eventlog_entry_set on eventlog_entry (part, seq) where kind = 'set';

create table eventlog_cursor (
  consumer text not null,
  part smallint not null,
  position bigint not null default 0,   -- the last entry that was processed
  primary key (consumer, part)
) with (fillfactor = 10);

-- Entries that a consumer could not process, with the step and the reason.
create table eventlog_failure (
  consumer text not null,
  part smallint not null,
  seq bigint not null,
  at bigint not null,
  business_id text not null,
  connector_id text not null,
  identity text not null,
  reason text not null,
  -- Set once the entry was sent again or discarded. The row stays: the ledger compares the number
  -- of rows with its counts.
  settled_at bigint,
  primary key (consumer, part, seq)
);

create index eventlog_failure_open on eventlog_failure (business_id, at) where settled_at is null;
-- The open failures of one stage, for counts that read no more rows than they may.
create index eventlog_failure_open_stage on eventlog_failure (business_id, consumer, at)
  where settled_at is null;

create table eventlog_ledger (
  stage text not null,
  part smallint not null,
  hour bigint not null,            -- hours since 1970
  taken bigint not null default 0,
  done bigint not null default 0,
  failed bigint not null default 0,
  -- The number of ended items that have no row any more: they were sent again, discarded,
  -- cancelled, or removed by age or with their owner. For stages that keep rows of ended items:
  -- of all of them (notifications), or of the failed ones.
  settled bigint not null default 0,
  primary key (stage, part, hour)
) with (fillfactor = 50);

-- The position up to which retention removed entries, so that the rows that are left add up.
create table eventlog_expired (
  part smallint primary key,
  up_to bigint not null default 0
);

-- The rows of eventlog_partition record the number of partitions of the log: a device's partition
-- is a hash modulo that number.
insert into eventlog_partition (part)
select generate_series(0, current_setting('millrace.log_partitions')::integer - 1);
insert into eventlog_expired (part) select part from eventlog_partition;

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
