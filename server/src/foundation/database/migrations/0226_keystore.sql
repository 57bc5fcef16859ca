-- The number of a solution's keys; the row is the lock under which they change.
create table keystore_solution (
  solution_id text primary key,
  keys bigint not null default 0
);

-- Values that solutions store by name.
create table keystore_entry (
  solution_id text not null,
  key text not null,
  kind text not null,              -- string, bytes, hash, list, set
  body text not null,              -- JSON; of bytes base64
  expires_at bigint,               -- microseconds; null: it stays
  primary key (solution_id, key)
);

create index keystore_entry_expires on keystore_entry (expires_at) where expires_at is not null;
