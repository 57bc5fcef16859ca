-- What each caller has used of its window, for all processes. Unlogged: a crash of the server only
-- begins the windows anew, and a request costs no write to the disk.

create unlogged table accounts_window (
  holder text primary key,                   -- an API token, or `user:` and the id of a user
  started_at bigint not null,                -- milliseconds
  requests bigint not null,
  used_us bigint not null,                   -- the sum of the requests' times, in microseconds
  cost bigint not null                       -- of the requests of the graph API
);
