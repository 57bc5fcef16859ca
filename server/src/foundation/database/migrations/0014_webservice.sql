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

-- Commands of scripts of other processes for a socket. The process that has it takes the row.
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
