-- Processes that share a database: each websocket belongs to one, so that scripts find it from any.
-- A process that has not been seen for a while is gone, and its sockets with it.
create table webservice_process (
  id text primary key,
  seen_at bigint not null          -- microseconds
);

create table webservice_socket (
  id text primary key,
  solution_id text not null,
  process text not null,
  route text not null,
  opened_at bigint not null        -- microseconds
);

create index webservice_socket_solution on webservice_socket (solution_id);
create index webservice_socket_process on webservice_socket (process);

-- Commands of scripts of other processes for a socket. The process that has the socket takes the
-- row.
create table webservice_remote_command (
  number bigint generated always as identity primary key,
  process text not null,
  socket_id text not null,
  -- The message, and whether as bytes; or how the socket is closed.
  data bytea,
  is_binary boolean,
  code integer,
  reason text
);

create index webservice_remote_command_process on webservice_remote_command (process, number);

-- Static files of solutions, and the sums of what each solution keeps.
create table webservice_static (
  solution_id text primary key,
  files bigint not null default 0,
  bytes bigint not null default 0
);

create table webservice_static_file (
  solution_id text not null,
  path text not null,
  content_type text not null,
  etag text not null,                        -- SHA-256 of the bytes
  bytes bigint not null,
  data bytea not null,
  gzipped bytea,                             -- null: to compress it saves nothing
  updated_at bigint not null,                -- microseconds
  primary key (solution_id, path)
);
-- Ranges are read from the middle; compressed storage would be read from the start.
alter table webservice_static_file alter column data set storage external;

-- Bytes that were uploaded for a push and are no static files yet.
create table webservice_static_upload (
  solution_id text not null,
  etag text not null,                        -- SHA-256 of the bytes
  bytes bigint not null,
  data bytea not null,
  gzipped bytea,                             -- null: to compress it saves nothing
  uploaded_at bigint not null,               -- microseconds
  primary key (solution_id, etag)
);
alter table webservice_static_upload alter column data set storage external;
create index on webservice_static_upload (uploaded_at);
