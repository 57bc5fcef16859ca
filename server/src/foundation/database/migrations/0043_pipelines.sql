-- How long the functions of a batch of the log took that run with it: one row for each business of
-- a batch. It is written in the transaction that moves the cursor.
create table pipelines_batch (
  business_id text not null,
  part smallint not null,
  last_seq bigint not null,       -- of its entries
  ended_at bigint not null,       -- microseconds
  took text not null,             -- JSON: {links: [id], runs: [[seq, link, microseconds, ...]]}
  primary key (business_id, part, last_seq)
);

create index pipelines_batch_age on pipelines_batch (ended_at);

-- The runs of links that need modules, and of actions: one row for each attempt of a job, written
-- in the transaction that settles it.
create table pipelines_run (
  business_id text not null,
  asset_id text not null,
  last_ts bigint not null,        -- the newest stamp of its values
  number bigint generated always as identity,
  first_ts bigint not null,
  ended_at bigint not null,       -- microseconds
  run text not null,              -- JSON: the stamps of its values, and its functions
  primary key (business_id, asset_id, last_ts, number)
);

create index pipelines_run_age on pipelines_run (ended_at);
