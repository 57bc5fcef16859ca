-- What each API token has used of its window, for all processes. Unlogged: a crash of the server
-- only begins the windows anew, and a request costs no write to the disk.
create unlogged table graphql_window (
  token_id text primary key,
  started_at bigint not null,                -- milliseconds
  requests bigint not null,
  used_us bigint not null                    -- the sum of the requests' times, in microseconds
);
