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
