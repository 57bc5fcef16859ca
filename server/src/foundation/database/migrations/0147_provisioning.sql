-- beside: yes
-- The time at which certificates of devices end, of those that were given, signed here, or came
-- with a device's first request. Those that an identity has not any more mean nothing.
create table provisioning_certificate_end (
  connector_id text not null,
  identity text not null,
  fingerprint text not null,       -- SHA-256
  not_after bigint not null,       -- microseconds
  primary key (connector_id, identity, fingerprint),
  foreign key (connector_id, identity) references provisioning_identity on delete cascade
);

create index provisioning_certificate_end_next
  on provisioning_certificate_end (connector_id, not_after, identity);
