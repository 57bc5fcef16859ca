-- Certificates of an ACME server, which all processes of the instance serve. Keys are PEM, sealed
-- with the instance key; times are in microseconds.
create table acme_account (
  url text primary key,                 -- the directory of the ACME server
  sealed_key text not null,
  created_at bigint not null
);

create table acme_certificate (
  url text not null,
  names text not null,                  -- in order, with commas between
  kind text not null,                   -- of its key: ecdsa or rsa
  certificate text not null,            -- with its chain, PEM
  sealed_key text not null,
  created_at bigint not null,
  primary key (url, names, kind)
);

-- The process that orders them, and how orders went. The lease is free again at leased_until, by
-- the clock of the database, as all times here.
create table acme_lease (
  url text not null,
  names text not null,
  owner text not null,                  -- empty: nobody
  leased_until bigint not null,
  failures integer not null default 0,  -- since the last order that succeeded
  failed_at bigint not null default 0,
  not_before bigint not null default 0, -- of the next order
  primary key (url, names)
);

-- The answers to challenges of HTTP-01, while an order is under way.
create table acme_challenge (
  token text primary key,
  answer text not null,
  created_at bigint not null
);
