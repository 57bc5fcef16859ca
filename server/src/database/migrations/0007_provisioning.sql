-- The built-in certificate authority of a connector.
create table provisioning_authority (
  connector_id text primary key,
  certificate text not null,       -- PEM
  sealed_key text not null,        -- PKCS #8, encrypted with the instance key
  created_at bigint not null       -- microseconds
);
