-- What solutions keep by name. The row of a solution is the lock under which its keys change, and
-- counts them.
create table keystore_solution (
  solution_id text primary key,
  keys bigint not null default 0
);

create table keystore_entry (
  solution_id text not null,
  key text not null,
  -- string, bytes, hash, list or set; the body is JSON text, of bytes base64
  kind text not null,
  body text not null,
  -- microseconds; null: it stays
  expires_at bigint,
  primary key (solution_id, key)
);

create index keystore_entry_expires on keystore_entry (expires_at) where expires_at is not null;
