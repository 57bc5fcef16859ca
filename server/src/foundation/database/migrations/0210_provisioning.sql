create table provisioning_connector (
  id text primary key,             -- the label of its host
  business_id text not null,
  created_at bigint not null,      -- microseconds, as every time below
  -- The time for which values of signals are kept that its devices feed; null: as the business
  -- has it.
  retention_hours bigint,
  settings jsonb not null          -- by the names of their schema; a missing one has its default
);

create index provisioning_connector_business on provisioning_connector (business_id, id);

-- Connectors that were deleted and of which data are still to be removed. No request reaches them:
-- the row of provisioning_connector is gone. The label of their host is in use until the end.
create table provisioning_removal (
  connector_id text primary key,
  business_id text not null,
  identities bigint not null,      -- so many it had
  removed_at bigint not null
);

-- The facts of an identity. Its status is derived from these and the clock.
create table provisioning_identity (
  connector_id text not null,
  identity text not null,
  locked boolean not null,
  reprovision boolean not null default false,
  -- True if the activation that was ordered clears the values; it means nothing without an order.
  clear_values boolean not null default false,
  devmode boolean not null default false,
  activate_until bigint,           -- null: no deadline
  -- The deadline of which the log says that it passed; another deadline is another window.
  deadline_logged bigint,
  provisioned_at bigint,           -- null: not yet
  auth_type text,                  -- how it was provisioned, whatever the connector says later
  certificate_given text,          -- the operator's: SHA-256
  tags jsonb not null,
  -- True if it has a presence row; written before that row, in its transaction.
  seen boolean not null default false,
  created_at bigint not null,
  group_id text,                                -- null: the root
  name text not null default '',                -- empty: the identity is its name
  description text not null default '',
  -- True if provisioning_term has the letters that the device has now. A change of the identity,
  -- the name or the description clears it in the same statement; a new device begins without. Of
  -- the few without, each search looks at the device itself.
  searchable boolean not null default false,
  -- The hash of a token that its device has not used, and the address to which it was sent: see the
  -- limit activationRetryMinutes. Null if it is off, and after the first use of the token.
  unused_hash text,
  unused_ip text,
  credential text,                 -- SHA-256 of a token or certificate, argon2id of a password
  primary key (connector_id, identity)
);

-- A script may choose the token of a new device: no two devices have the same one.
create unique index provisioning_identity_token on provisioning_identity (credential)
  where auth_type = 'token';
-- The window that closes next: of those that wait for an activation and have a deadline.
create index provisioning_identity_window
  on provisioning_identity (connector_id, activate_until, identity)
  where activate_until is not null and (provisioned_at is null or reprovision);
create index provisioning_identity_deadline on provisioning_identity (activate_until)
  where activate_until is not null and deadline_logged is distinct from activate_until
    and (provisioned_at is null or reprovision);
create index provisioning_identity_unseen on provisioning_identity (connector_id, identity)
  where not seen;
-- The few devices that a list by status is about.
create index provisioning_identity_locked on provisioning_identity (connector_id, identity)
  where locked;
create index provisioning_identity_reprovision on provisioning_identity (connector_id, identity)
  where reprovision;
create index provisioning_identity_devmode on provisioning_identity (connector_id, identity)
  where devmode;
create index provisioning_identity_silent on provisioning_identity (connector_id, identity)
  where not seen and provisioned_at is not null;
create index provisioning_identity_group on provisioning_identity (group_id, connector_id, identity)
  where group_id is not null;
create index provisioning_identity_unsearchable on provisioning_identity (connector_id)
  where not searchable;
-- Devices with a tag, for the counts of campaigns. It has no device without tags.
create index provisioning_identity_tags on provisioning_identity using gin (tags jsonb_path_ops)
  where tags <> '[]'::jsonb;

-- All parts of a text that are one, two or three letters long, some of them more than once. It
-- takes some 50 us, which the planner must know: else it compares row by row beside the index.
create function provisioning_grams(given text) returns text[] language sql immutable cost 5000
return array(
  select substr(given, place, size)
  from generate_series(1, length(given)) as places (place), generate_series(1, 3) as sizes (size)
);

-- The letters by which devices are found: of their identity, name and description. They are apart
-- from the identity, so that no activation and no write of a device touches the index of letters.
-- A row counts if its identity is searchable.
create table provisioning_term (
  connector_id text not null,
  identity text not null,
  letters text not null,           -- folded by fold-letters.ts, not by the database's own locale
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_term_grams on provisioning_term using gin (provisioning_grams(letters));

-- The number of a connector's identities. Whoever adds or removes some writes it in the same
-- transaction, after the identities and before the log: that is the order of locks.
create table provisioning_population (
  connector_id text primary key,
  identities bigint not null
) with (fillfactor = 10);

-- Apart from the identity, because it is written again every second.
create table provisioning_presence (
  connector_id text not null,
  identity text not null,
  lastip text not null,
  lastseen bigint not null,
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
) with (fillfactor = 50);

-- Lists of devices are read in this order, a page at a time: devices that were seen, last seen
-- first, then those that never were, by name.
create index provisioning_presence_lastseen
  on provisioning_presence (connector_id, lastseen desc, identity);

-- The present value of each resource of a device. There is no foreign key: rows come and go under
-- the row lock of the device's partition of the log, and a key would make appends wait for
-- removals.
create table provisioning_value (
  connector_id text not null,
  identity text not null,
  alias text not null,
  reported text,                   -- the last write of the device, as it typed it
  reported_at bigint,
  set_value text,                  -- the wanted value; a device's write counts as this too
  set_at bigint,
  -- True if the cloud set it last and the device has yet to receive it, or to report it. It follows
  -- the log's order, so a value that is set again is pending again.
  pending boolean not null default false,
  -- A stamp in the future that the value before had, from a clock that ran ahead; negative: that
  -- this value had, before it was given another one. Null: none.
  ahead_at bigint,
  primary key (connector_id, identity, alias)
) with (fillfactor = 50);
