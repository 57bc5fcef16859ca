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
  identities_max integer not null default 1000000,
  -- Devices that register themselves from one address.
  registrations_per_minute integer not null default 1000,
  ip_restriction jsonb not null default '{"enabled": false, "allowed": []}',
  pki jsonb not null default
    '{"enabled": false, "caPem": null, "vendor": null,
      "vendorOptions": {"profile": "", "apiKey": null, "validityMonths": null, "url": ""}}',
  -- Whether devices may be ordered to be provisioned again, and what they then begin with.
  reprovision jsonb not null default '{"policy": "on_order", "data": "keep"}',
  -- The field's tools send these two and expect them back; neither changes anything.
  protocol_name text not null default 'http',
  presenter_identity boolean not null default false,
  resources jsonb not null,        -- an array, in the order in which they were defined
  created_at bigint not null       -- microseconds, as every time below
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
  -- Whether the activation that was ordered clears the values; it means nothing without an order.
  clear_values boolean not null default false,
  devmode boolean not null default false,
  activate_until bigint,           -- null: no deadline
  -- The deadline of which the log says that it passed; another deadline is another window.
  deadline_logged bigint,
  provisioned_at bigint,           -- null: not yet
  auth_type text,                  -- how it was provisioned, whatever the connector says later
  token_hash text,
  password_hash text,              -- argon2id
  certificate_given text,          -- the operator's: SHA-256
  certificate text,                -- provisioned with: SHA-256
  tags jsonb not null,
  -- Whether it has a presence row; written before that row, in its transaction.
  seen boolean not null default false,
  created_at bigint not null,
  primary key (connector_id, identity)
);

create index provisioning_identity_token on provisioning_identity (token_hash)
  where token_hash is not null;
-- The window that closes next: of those that wait for an activation and have a deadline.
create index provisioning_identity_window
  on provisioning_identity (connector_id, activate_until, identity)
  where activate_until is not null and (provisioned_at is null or reprovision);
create index provisioning_identity_deadline on provisioning_identity (activate_until)
  where activate_until is not null and deadline_logged is distinct from activate_until
    and (provisioned_at is null or reprovision);
create index provisioning_identity_unseen on provisioning_identity (connector_id, identity)
  where not seen;
-- The few that a list by status is about.
create index provisioning_identity_locked on provisioning_identity (connector_id, identity)
  where locked;
create index provisioning_identity_reprovision on provisioning_identity (connector_id, identity)
  where reprovision;
create index provisioning_identity_devmode on provisioning_identity (connector_id, identity)
  where devmode;
create index provisioning_identity_silent on provisioning_identity (connector_id, identity)
  where not seen and provisioned_at is not null;

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

-- Lists of devices are read in this order, a page at a time: those that were seen, last seen first,
-- then those that never were, by name.
create index provisioning_presence_lastseen
  on provisioning_presence (connector_id, lastseen desc, identity);

-- The present value of each resource of a device. There is no foreign key: rows come and go under
-- the row lock of the device's partition of the log, and a key would make appends wait for
-- removals.
create table provisioning_value (
  connector_id text not null,
  identity text not null,
  alias text not null,
  reported text,                   -- what the device wrote last, as it typed it
  reported_at bigint,
  set_value text,                  -- what it is to be; a device's write counts as this too
  set_at bigint,
  -- Whether the cloud set it last and the device has yet to receive it, or to report it. It follows
  -- the log's order, so a value that is set again is pending again.
  pending boolean not null default false,
  -- A stamp in the future that the value before had, from a clock that ran ahead; negative: that
  -- this value had, before it was given another one. Null: none.
  ahead_at bigint,
  primary key (connector_id, identity, alias)
) with (fillfactor = 50);

-- The built-in certificate authority of a connector.
create table provisioning_authority (
  connector_id text primary key,
  certificate text not null,       -- PEM
  sealed_key text not null,        -- PKCS #8, encrypted with the instance key
  created_at bigint not null
);

-- The certificate revocation list of a connector's client CA. It is that authority's, whatever the
-- connector trusts later.
create table provisioning_crl (
  connector_id text primary key,
  generation text not null,        -- changes with each list
  ca text not null,                -- who signed it, PEM
  der bytea not null,
  number text,                     -- as its authority numbers its lists; null: it does not
  this_update bigint not null,
  next_update bigint,              -- null: it does not say
  revoked integer not null,        -- how many certificates it names
  put_at bigint not null
);

-- Certificates that were signed for an identity here or given to it one by one, as PEM: so that an
-- answer that was lost can be read again. Only that of the credential in force is shown.
create table provisioning_certificate (
  connector_id text not null,
  identity text not null,
  fingerprint text not null,       -- SHA-256
  pem text not null,
  primary key (connector_id, identity, fingerprint),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

-- A second credential of a device, beside the one that is to go. It is of that one alone: if the
-- identity has another credential, or was provisioned again, its row means nothing any more.
create table provisioning_rotation (
  connector_id text not null,
  identity text not null,
  replaces text not null,          -- the hash of the credential that is to go
  provisioned_at bigint not null,  -- of the identity, when the rotation was opened
  until bigint not null,
  opened_at bigint not null,
  token_hash text,                 -- the new one, of the method of the device
  password_hash text,
  certificate text,
  plain boolean not null,          -- whether the new one crossed a plain connection
  fetched_at bigint,               -- when the device fetched it; null: it did not
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create unique index provisioning_rotation_token on provisioning_rotation (token_hash)
  where token_hash is not null;
create index provisioning_rotation_until on provisioning_rotation (until);

-- Numbers of revocations are given under the lock of this one row, which is held until the commit:
-- so they become visible in their order, and a reader that goes on from the last one skips none.
create table provisioning_revocation_head (
  id integer primary key,
  last bigint not null
);

insert into provisioning_revocation_head (id, last) values (1, 0);

-- Identities whose credential or right to connect ended, for the processes that hold connections of
-- theirs.
create table provisioning_revocation (
  seq bigint primary key,
  connector_id text not null,
  -- Null: what the connector lets in has changed, so each of its connections is checked again.
  identity text,
  token_hash text,                 -- of the credential that caches may still hold
  -- The hash of the credential that an identity goes on with, if another one of it ended.
  remaining_hash text,
  code text,                       -- the device is rejected with it; null: it may go on
  at bigint not null
);

-- Files that devices may download. A replaced content gets a new generation, so that a download
-- that is under way goes on with the one that it began with.
create table provisioning_content (
  connector_id text not null,
  id text not null,
  generation text not null,
  content_type text not null,
  bytes bigint not null,
  meta text not null,
  updated_at bigint not null,
  primary key (connector_id, id)
);

create table provisioning_content_generation (
  connector_id text not null,
  generation text not null,
  ends_at bigint,                  -- null: in force; after this time its chunks may go
  primary key (connector_id, generation)
);

create index provisioning_content_generation_ends on provisioning_content_generation (ends_at)
  where ends_at is not null;

-- All chunks of a generation but the last are of one size.
create table provisioning_content_chunk (
  connector_id text not null,
  generation text not null,
  ord integer not null,
  data bytea not null,
  primary key (connector_id, generation, ord)
);
