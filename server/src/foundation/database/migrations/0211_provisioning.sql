-- Certificates, credentials beside the first, revocations, and files that devices download. Times
-- are in microseconds.

-- The certificate authority of the instance, of which all its processes issue server certificates.
create table provisioning_server_authority (
  id integer primary key check (id = 1),     -- there is one
  certificate text not null,                 -- PEM
  sealed_key text not null,                  -- PKCS #8, PEM, sealed with the instance key
  created_at bigint not null
);

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
  ca text not null,                -- the authority that signed it, PEM
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

-- The time at which certificates of devices end: those that were given, signed here, or came with a
-- device's first request. A row means nothing once the identity has another certificate.
create table provisioning_certificate_end (
  connector_id text not null,
  identity text not null,
  fingerprint text not null,       -- SHA-256
  not_after bigint not null,
  primary key (connector_id, identity, fingerprint),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_certificate_end_next
  on provisioning_certificate_end (connector_id, not_after, identity);

-- A second credential of a device, beside the one that is to go. It is of that one alone: if the
-- identity has another credential, or was provisioned again, its row means nothing any more.
create table provisioning_rotation (
  connector_id text not null,
  identity text not null,
  replaces text not null,          -- the hash of the credential that is to go
  provisioned_at bigint not null,  -- of the identity, when the rotation was opened
  until bigint not null,
  opened_at bigint not null,
  plain boolean not null,          -- true if the new one crossed a plain connection
  fetched_at bigint,               -- when the device fetched it; null: it did not
  credential text,                 -- the new one, of the method of the device
  primary key (connector_id, identity),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_rotation_credential on provisioning_rotation (credential)
  where credential is not null;
create index provisioning_rotation_until on provisioning_rotation (until);

-- Numbers of revocations are given under the lock of this one row, which is held until the commit:
-- so they become visible in their order, and a reader that goes on from the last one skips none.
create table provisioning_revocation_head (
  id integer primary key,
  last bigint not null
);

insert into provisioning_revocation_head (id, last) values (1, 0);

-- Identities whose credential or right to connect ended, for the processes that hold their
-- connections.
create table provisioning_revocation (
  seq bigint primary key,
  connector_id text not null,
  -- Null: the connector accepts other devices than before, so each of its connections is checked
  -- again.
  identity text,
  credential text,                 -- its hash, which caches may still hold
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

-- The part of a content that a device has downloaded: of the last upload that it began with.
create table provisioning_download (
  connector_id text not null,
  content text not null,
  identity text not null,
  generation text not null,        -- the upload of the content
  received bigint not null,        -- bytes from the first one on, without a gap
  begun_at bigint not null,
  completed_at bigint,             -- null: bytes are missing
  primary key (connector_id, content, identity),
  foreign key (connector_id, content)
    references provisioning_content (connector_id, id) on delete cascade,
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_download_identity on provisioning_download (connector_id, identity);

-- Devices with a tag shall get a content. A campaign ends with its content.
create table provisioning_campaign (
  connector_id text not null,
  id text not null,
  content text not null,
  tag_name text not null,
  tag_value text,                  -- null: any value
  created_at bigint not null,
  primary key (connector_id, id),
  foreign key (connector_id, content)
    references provisioning_content (connector_id, id) on delete cascade
);

create unique index provisioning_campaign_of_content
  on provisioning_campaign
    (connector_id, content, tag_name, coalesce(tag_value, ''), (tag_value is null));
