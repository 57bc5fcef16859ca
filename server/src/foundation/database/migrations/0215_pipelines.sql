-- The answer of a module that a business uses about itself.
create table pipelines_module (
  business_id text not null,
  id text not null,
  info text not null,                           -- JSON: InsightInfoResults
  warnings text not null,                       -- JSON: warnings of when it was added
  primary key (business_id, id)
);

-- The functions that a module listed last, so that one that is down leaves them.
create table pipelines_functions (
  business_id text not null,
  module_id text not null,
  group_id text not null,          -- '' if there is none
  insights text not null,          -- JSON: the functions as they were read
  complaints text not null,        -- JSON: sentences about the list
  read_at bigint not null,         -- when the module answered
  asked_at bigint not null,        -- when it was asked last
  primary key (business_id, module_id, group_id)
);

create index pipelines_functions_asked on pipelines_functions (asked_at);

-- A function at one place of an asset's pipelines. The asset itself belongs to another module.
create table pipelines_link (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order in which links were made
  asset_id text not null,
  module_id text not null,
  function_id text not null,
  group_id text not null,                       -- '' if there is none
  name text not null,
  insight text not null,                        -- JSON: the function as it was described then
  constants text not null,                      -- JSON
  created_at bigint not null,
  enabled boolean not null default true,        -- false: it keeps its signals, but does not run
  outdated text not null default '[]',          -- its present description, if the link does not fit
  checks text not null default '[]',            -- JSON: checks of values before and after a run
  timeout_ms integer,                           -- of one call; null: as the instance has it
  primary key (business_id, id)
);

create index pipelines_link_asset on pipelines_link (business_id, asset_id);
create index pipelines_link_module on pipelines_link (business_id, module_id);

-- The signal that feeds an inlet. An output is a signal whose source is the link.
create table pipelines_inlet (
  business_id text not null,
  link_id text not null,
  inlet smallint not null,
  signal_id text not null,
  primary key (business_id, link_id, inlet),
  foreign key (business_id, link_id) references pipelines_link (business_id, id) on delete cascade
);

create index pipelines_inlet_signal on pipelines_inlet (business_id, signal_id);

-- The state that a built-in function keeps between its calls, one row for each link that has been
-- run. It is written in the transaction that moves the cursor of the consumer `functions`, or
-- settles the job.
create table pipelines_state (
  business_id text not null,
  link_id text not null,
  state text,                                   -- JSON; null: its first call has not been stored
  primary key (business_id, link_id),
  foreign key (business_id, link_id) references pipelines_link (business_id, id) on delete cascade
) with (fillfactor = 50);

-- The pipeline of an asset as it was saved, a row for each change. The oldest go.
create table pipelines_version (
  business_id text not null,
  asset_id text not null,
  version integer not null,        -- from 1
  document text not null,          -- JSON: PipelineDocument
  saved_by text,                   -- the user or the token; null for the platform
  saved_at bigint not null,
  primary key (business_id, asset_id, version)
);

-- The time that functions took which run with a batch of the log: one row for each business of a
-- batch. It is written in the transaction that moves the cursor.
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
