-- Businesses that are being deleted, and those whose deletion ended lately.
create table deletion_business (
  id text primary key,
  name text not null,
  requested_by text not null,                -- a subject
  requested_at bigint not null,              -- microseconds
  step text not null,
  removed bigint not null default 0,         -- rows, so far
  finished_at bigint                         -- microseconds; null: it goes on
);
