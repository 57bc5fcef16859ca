-- Statuses, conditions and templates.

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
  signal_id text,                               -- the signal that is judged
  category text not null default 'default',
  primary key (business_id, asset_id, rule_id),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
) with (fillfactor = 50);

create index assets_status_rule on assets_status (business_id, rule_id);
-- The assets whose worst status is of a level: few are not normal.
create index assets_status_level on assets_status (business_id, level, asset_id) where level > 0;

create table assets_event (
  business_id text not null,
  asset_id text not null,
  number bigint generated always as identity,
  rule_id text,                                 -- null: a signal is silent
  ts bigint not null,
  at bigint not null,                           -- when it was recorded
  level smallint not null,
  previous smallint not null,
  type text,
  value text,
  signal_id text,
  category text not null default 'default',
  primary key (business_id, asset_id, number),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
);

create index assets_event_age on assets_event (at);
-- The changes of one rule, newest first.
create index assets_event_rule on assets_event (business_id, asset_id, rule_id, number desc);
-- The events of all assets of a business, newest first.
create index assets_event_list on assets_event (business_id, at desc, number desc);

-- The number of changes of what devices feed, so that a cache can be compared with it. Counted in
-- the transaction of the change, so both are seen at once; the sum of a business's slots counts,
-- and several slots keep changes of different assets from waiting for each other.
create table assets_structure (
  business_id text not null,
  slot smallint not null,
  generation bigint not null,
  primary key (business_id, slot)
) with (fillfactor = 50);

-- A condition of an asset: opened when a status leaves normal, until a person clears it. Its state
-- follows from what happened to it.
create table assets_condition (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order in which they were opened
  asset_id text not null,
  source_id text not null,                      -- the rule's link, or the signal that is silent
  rule_id text,
  signal_id text,
  category text not null,
  level smallint not null,                      -- 0 once the status is normal again
  worst smallint not null,
  type text,
  value text,
  ts bigint not null,                           -- of the data of the last change
  opened_at bigint not null,                    -- of the data that opened it
  ended_at bigint,                              -- of the data with which it became normal again
  acknowledged_at bigint,
  acknowledged_by text,
  cleared_at bigint,
  cleared_by text,
  primary key (business_id, id),
  foreign key (business_id, asset_id) references assets_asset (business_id, id) on delete cascade
);

-- A status has one condition at a time.
create unique index assets_condition_open on assets_condition (business_id, asset_id, source_id)
  where cleared_at is null;
create index assets_condition_list on assets_condition (business_id, number);
create index assets_condition_source on assets_condition (business_id, source_id)
  where cleared_at is null;
create index assets_condition_asset on assets_condition (business_id, asset_id, number);
create index assets_condition_cleared on assets_condition (cleared_at) where cleared_at is not null;

create table assets_condition_comment (
  business_id text not null,
  condition_id text not null,
  number bigint generated always as identity,
  comment text not null,
  written_by text not null,
  at bigint not null,
  primary key (business_id, condition_id, number),
  foreign key (business_id, condition_id) references assets_condition (business_id, id)
    on delete cascade
);

-- Patterns of assets of a business. Signals and links are JSON; a link names a signal of the
-- template by its key.
create table assets_template (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  description text not null,
  asset_type text,
  meta text not null,
  signals text not null,
  links text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

create index assets_template_list on assets_template (business_id, number);

-- The saved changes of templates, of which the newest are kept.
create table assets_template_version (
  business_id text not null,
  template_id text not null,
  version integer not null,        -- from 1
  document text not null,          -- JSON: TemplateDocument
  saved_by text,                   -- the user or the token; null for the platform
  saved_at bigint not null,
  primary key (business_id, template_id, version)
);
