-- Whether devices may be ordered to be provisioned again, and what they then begin with.
alter table provisioning_connector add column reprovision jsonb not null
  default '{"policy": "on_order", "data": "keep"}';
-- Whether the activation that was ordered clears the values; it means nothing without an order.
alter table provisioning_identity add column anew boolean not null default false;

-- A second credential of a device, beside the one that is to go. It is of that one alone: where the
-- identity has another credential, or was provisioned again, its row means nothing any more.
create table provisioning_rotation (
  connector_id text not null,
  identity text not null,
  replaces text not null,          -- the hash of the credential that is to go
  provisioned_at bigint not null,  -- of the identity, when the rotation was opened
  until bigint not null,           -- microseconds, as every time here
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

-- The hash of the credential that an identity goes on with, where another one of it ended.
alter table provisioning_revocation add column spared text;
