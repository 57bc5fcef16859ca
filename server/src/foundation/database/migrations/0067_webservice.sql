-- Static files of solutions, and what each solution keeps in all.
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
