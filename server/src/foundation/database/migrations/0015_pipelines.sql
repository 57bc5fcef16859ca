create table pipelines_module (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  url text not null,
  endpoints text not null,                      -- JSON: method and URL of each operation
  info text not null,                           -- JSON: InsightInfoResults
  warnings text not null,                       -- JSON: warnings of when it was added
  created_at bigint not null,
  primary key (business_id, id)
);

-- One function at one place of an asset's pipelines. The asset itself belongs to another module.
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
