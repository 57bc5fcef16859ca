-- Locks of keys: a transaction that stores jobs which run at its commit holds those of their keys.
-- A key has the row of its hash.
create table jobs_key_lock (
  slot integer primary key         -- from 0 to 1,023
);

insert into jobs_key_lock (slot) select slot from generate_series(0, 1023) as s (slot);
