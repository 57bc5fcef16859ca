-- The certificate revocation list of a connector's client CA. It is that authority's, whatever the
-- connector trusts later.
create table provisioning_crl (
  connector_id text primary key,
  generation text not null,        -- changes with each list
  ca text not null,                -- who signed it, PEM
  der bytea not null,
  number text,                     -- as its authority numbers its lists; null: it does not
  this_update bigint not null,     -- microseconds, as every time here
  next_update bigint,              -- null: it does not say
  revoked integer not null,        -- how many certificates it names
  put_at bigint not null
);

-- Null: what the connector lets in has changed, so that each of its connections is judged anew.
alter table provisioning_revocation alter column identity drop not null;
