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
  position bigint not null default 0,   -- the last entry that was dealt with
  primary key (consumer, part)
) with (fillfactor = 10);

-- Entries that a consumer could not deal with, with the step and the reason.
create table eventlog_failure (
  consumer text not null,
  part smallint not null,
  seq bigint not null,
  at bigint not null,
  business_id text not null,
  connector_id text not null,
  identity text not null,
  reason text not null,
  primary key (consumer, part, seq)
);

create table eventlog_ledger (
  stage text not null,
  part smallint not null,
  hour bigint not null,            -- hours since 1970
  taken bigint not null default 0,
  done bigint not null default 0,
  failed bigint not null default 0,
  primary key (stage, part, hour)
) with (fillfactor = 50);

-- The position up to which retention removed entries, so that the rows that are left add up.
create table eventlog_expired (
  part smallint primary key,
  up_to bigint not null default 0
);

insert into eventlog_partition (part) values (0), (1), (2), (3);
insert into eventlog_expired (part) values (0), (1), (2), (3);
