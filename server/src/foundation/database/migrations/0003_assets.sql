create table assets_group (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order in which groups were made
  parent_id text,                               -- null for the root alone
  depth smallint not null,
  name text not null,
  primary key (business_id, id),
  foreign key (business_id, parent_id) references assets_group (business_id, id)
);

create unique index assets_group_root on assets_group (business_id) where parent_id is null;
create index assets_group_parent on assets_group (business_id, parent_id);

create table assets_asset (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  group_id text not null,
  name text not null,
  description text not null,
  connector_id text,
  identity text,
  by_intake boolean not null,                   -- made by a write of its device
  created_at bigint not null,
  primary key (business_id, id),
  foreign key (business_id, group_id) references assets_group (business_id, id)
);

create index assets_asset_list on assets_asset (business_id, number);
create index assets_asset_group on assets_asset (business_id, group_id);
create index assets_asset_device on assets_asset (connector_id, identity)
  where connector_id is not null;

-- Two events of one new device that are handled at once make one asset.
create unique index assets_asset_intake on assets_asset (business_id, connector_id, identity)
  where by_intake;

create table assets_intake (
  connector_id text primary key,
  business_id text not null,
  group_id text
);

create table assets_signal (
  business_id text not null,
  id text not null,
  key bigint generated always as identity,      -- values are kept under it
  asset_id text not null,
  name text not null,
  description text not null,
  primitive_type text not null,
  data_type text,
  data_unit text,
  precision double precision,
  min double precision,
  max double precision,
  multiplier double precision,
  value_offset double precision,                -- `offset` is a word of SQL
  timeout_ms bigint,
  tags text not null,                           -- JSON, an object of strings
  alias text,                                   -- fed by a device's resource
  channel text,
  connector_id text,                            -- null: the asset's own device
  identity text,
  link_id text,                                 -- fed by a function's outlet
  outlet smallint,
  primary key (business_id, id),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
);

create index assets_signal_asset on assets_signal (business_id, asset_id, key);
create index assets_signal_key on assets_signal (key);
create index assets_signal_device on assets_signal (connector_id, identity)
  where connector_id is not null;
create index assets_signal_link on assets_signal (business_id, link_id, outlet)
  where link_id is not null;

-- History. A number is `v` alone, so that the key's index answers for it; anything else is JSON in
-- `t`, a boolean with 0 or 1 in `v` beside it. Weeks are partitions, made ahead; what lies outside
-- of them is in the default one, so that every time can be stored.
create table assets_value (
  signal_key bigint not null,
  ts bigint not null,
  v double precision,
  t text,
  primary key (signal_key, ts) include (v)
) partition by range (ts);

create table assets_value_default partition of assets_value default;
create index assets_value_default_ts on assets_value_default (ts);

-- The lock under which partitions are made and dropped: one row.
create table assets_partitioning (id smallint primary key);
insert into assets_partitioning (id) values (1);

create table assets_latest (
  signal_key bigint primary key,
  ts bigint not null,
  v double precision,
  t text
) with (fillfactor = 50);

-- Keys of removed signals of which values are still to be removed.
create table assets_removed (
  signal_key bigint primary key,
  at bigint not null
);

-- The present level of each rule. `previous` is the level before the last write, which tells that
-- write whether it changed anything.
create table assets_status (
  business_id text not null,
  asset_id text not null,
  rule_id text not null,
  ts bigint not null,
  since bigint not null,
  level smallint not null,
  previous smallint not null,
  type text,
  value text,
  primary key (business_id, asset_id, rule_id),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
) with (fillfactor = 50);

create index assets_status_rule on assets_status (business_id, rule_id);

create table assets_event (
  business_id text not null,
  asset_id text not null,
  number bigint generated always as identity,
  rule_id text not null,
  ts bigint not null,
  at bigint not null,                           -- when it was recorded
  level smallint not null,
  previous smallint not null,
  type text,
  value text,
  primary key (business_id, asset_id, number),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
);

create index assets_event_age on assets_event (at);

-- The number of changes of what devices feed, so that a cache can be compared with it. Counted in
-- the transaction of the change, so both are seen at once; the sum of a business's slots is what
-- counts, and several slots keep changes of different assets from waiting for each other.
create table assets_structure (
  business_id text not null,
  slot smallint not null,
  generation bigint not null,
  primary key (business_id, slot)
) with (fillfactor = 50);
