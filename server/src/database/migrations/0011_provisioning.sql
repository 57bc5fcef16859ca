-- Identities whose credential or right to speak ended, for the processes that hold connections of
-- theirs. Numbers are given under the lock of the head's one row, which is held until the commit:
-- so they become visible in their order, and a reader that goes on from the last one skips none.
create table provisioning_revocation_head (
  id integer primary key,
  last bigint not null
);

insert into provisioning_revocation_head (id, last) values (1, 0);

create table provisioning_revocation (
  seq bigint primary key,
  connector_id text not null,
  identity text not null,
  token_hash text,                 -- of the credential that memories may still hold
  code text,                       -- what the device is refused with; null: it may go on
  at bigint not null               -- microseconds
);
