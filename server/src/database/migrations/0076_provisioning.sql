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
