create table provisioning_connector (
  id text primary key,             -- the label of its host
  business_id text not null,
  name text not null,
  description text not null,
  auth_type text not null,
  devmode boolean not null,
  enabled boolean not null,
  identity_prefix text not null,
  identity_type text not null,
  identity_casing text not null,
  identity_length integer,         -- without the prefix; null: any
  self_registration boolean not null,
  resources jsonb not null,        -- an array, in the order in which they were defined
  created_at bigint not null       -- microseconds, as every time below
);

create index provisioning_connector_business on provisioning_connector (business_id, id);

-- What is known of an identity. Its status is derived from these facts and the clock.
create table provisioning_identity (
  connector_id text not null,
  identity text not null,
  locked boolean not null,
  reprovision boolean not null default false,
  devmode boolean not null default false,
  activate_until bigint,           -- null: no deadline
  provisioned_at bigint,           -- null: not yet
  auth_type text,                  -- how it was provisioned, whatever the connector says later
  token_hash text,
  tags jsonb not null,
  created_at bigint not null,
  primary key (connector_id, identity)
);

create index provisioning_identity_token on provisioning_identity (token_hash)
  where token_hash is not null;

-- Apart from the identity, because it is written again every second.
create table provisioning_presence (
  connector_id text not null,
  identity text not null,
  lastip text not null,
  lastseen bigint not null,
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
) with (fillfactor = 50);

-- What each resource of a device says now. There is no foreign key: rows come and go under the row
-- lock of the device's partition of the log, and a key would make appends wait for removals.
create table provisioning_value (
  connector_id text not null,
  identity text not null,
  alias text not null,
  reported text,                   -- what the device wrote last, as it typed it
  reported_at bigint,
  set_value text,                  -- what it is to be; a device's write counts as this too
  set_at bigint,
  primary key (connector_id, identity, alias)
) with (fillfactor = 50);
