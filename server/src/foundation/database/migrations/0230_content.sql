-- Files of solutions, and the sums of what each solution keeps.
create table content_solution (
  solution_id text primary key,
  files bigint not null default 0,
  bytes bigint not null default 0
);

-- Contents larger than a part are stored as rows of parts; `data` of such a content is empty.
create table content_file (
  solution_id text not null,
  id text not null,
  content_type text not null,
  bytes bigint not null,
  data bytea not null,
  updated_at bigint not null,
  upload text,                                       -- null: the bytes are in `data`
  primary key (solution_id, id)
);

-- Uploads that were begun and are no contents yet.
create table content_upload (
  solution_id text not null,
  target text not null,                              -- by which its sender finds it again
  upload text not null,                              -- by which its parts are found, for ever
  bytes bigint not null default 0,
  updated_at bigint not null,                        -- microseconds
  primary key (solution_id, target)
);
create index on content_upload (updated_at);

create table content_part (
  solution_id text not null,
  upload text not null,
  first bigint not null,                             -- the position of its first byte
  data bytea not null,
  primary key (solution_id, upload, first)
);
-- Ranges are read from the middle; compressed storage would be read from the start.
alter table content_part alter column data set storage external;
