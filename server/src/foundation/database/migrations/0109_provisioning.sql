-- beside: yes
-- The certificate authority of the instance, of which all its processes issue server certificates.
-- Processes of the version before go on with the files in tls/ of their data directories.
create table provisioning_server_authority (
  id integer primary key check (id = 1),     -- there is one
  certificate text not null,                 -- PEM
  sealed_key text not null,                  -- PKCS #8, PEM, sealed with the instance key
  created_at bigint not null                 -- microseconds
);
