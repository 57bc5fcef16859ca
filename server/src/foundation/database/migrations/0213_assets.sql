-- Three letters each, of a text in lower case: a text that has all of those of another may contain
-- it. The length is that of the lower case, which may have more letters: under ICU İ is two.
create function assets_grams(given text) returns text[] language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct substr(lower(given), place, 3)), '{}')
  from generate_series(1, greatest(length(lower(given)) - 2, 0)) as places (place)
);

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
  meta text not null default '{}',              -- JSON, an object
  asset_type text,
  locked boolean not null default false,
  latitude double precision,
  longitude double precision,
  location_signal text,                         -- a signal that has the place as its value
  grams text[] generated always as (assets_grams(name || ' ' || description)) stored,
  template_id text,                             -- it was made of it, and may have outlived it
  primary key (business_id, id),
  foreign key (business_id, group_id) references groups_group (business_id, id)
);

create index assets_asset_list on assets_asset (business_id, number);
create index assets_asset_device on assets_asset (connector_id, identity)
  where connector_id is not null;
-- Two events of one new device that are handled at once make one asset.
create unique index assets_asset_intake on assets_asset (business_id, connector_id, identity)
  where by_intake;
create index assets_asset_text on assets_asset using gin (grams);
-- Assets with a fixed location, for those in an area.
create index assets_asset_place on assets_asset (business_id, latitude, longitude)
  where latitude is not null;
create index assets_asset_moving on assets_asset (business_id, location_signal)
  where location_signal is not null;
-- The assets that were made of a template: lists show how many there are, and which.
create index assets_asset_template on assets_asset (business_id, template_id)
  where template_id is not null;
-- The first assets of a group, in the order of their lists.
create index assets_asset_group_list on assets_asset (business_id, group_id, number);
-- A page of a list by name, of a million assets, too.
create index assets_asset_name on assets_asset (business_id, name, number);

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
  -- The time of the next check of whether a signal with a timeout is silent; writers of
  -- `timeout_ms` set it to 0.
  look_at bigint,
  silent_from bigint,                           -- the time of the last value of a recorded silence
  -- The display of the signal, and the description by its device's channel: JSON, an object.
  display text not null default '{}',
  template_key text,                            -- its key in the template of its asset; null: none
  -- The time for which its values are kept; null: as its connector, its business or the instance
  -- has it.
  retention_hours bigint,
  primary key (business_id, id),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
);

create index assets_signal_asset on assets_signal (business_id, asset_id, key);
create index assets_signal_key on assets_signal (key);
create index assets_signal_device on assets_signal (connector_id, identity)
  where connector_id is not null;
create index assets_signal_link on assets_signal (business_id, link_id, outlet)
  where link_id is not null;
create index assets_signal_look on assets_signal (look_at) where look_at is not null;
create index assets_signal_silent on assets_signal (key) where silent_from is not null;
create index assets_signal_retention on assets_signal (key) where retention_hours is not null;

-- History. A number is `v` alone, so that the key's index answers for it; anything else is JSON in
-- `t`, a boolean with 0 or 1 in `v` beside it. Weeks are partitions, made ahead; rows outside of
-- them are in the default one, so that every time can be stored.
create table assets_value (
  signal_key bigint not null,
  ts bigint not null,
  v double precision,
  t text,
  -- The time of reception in microseconds, and the code of the device's protocol. The time is null
  -- if a value with a protocol was received at its own time; both are null for results of
  -- functions.
  received bigint,
  protocol smallint,
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
  t text,
  -- The place that the value is, if it is one: assets whose location is a signal are found in an
  -- area by it. An update that leaves both null changes no column of an index.
  latitude double precision,
  longitude double precision,
  received bigint,
  protocol smallint
) with (fillfactor = 50);

create index assets_latest_place on assets_latest (latitude, longitude)
  where latitude is not null;

-- Keys of removed signals of which values are still to be removed.
create table assets_removed (
  signal_key bigint primary key,
  at bigint not null
);
