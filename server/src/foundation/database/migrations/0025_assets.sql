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
