-- The processes that serve from these tables, with the settings in which all must agree.
create table database_process (
  id text primary key,
  name text not null,              -- process N on HOST
  settings jsonb not null,         -- values by name; of the instance key a check value
  seen_until bigint not null       -- microseconds, the database's clock
) with (fillfactor = 10);
