-- What devices may download. A replaced content gets a new generation, so that a download that is
-- under way goes on with what it began with.
create table provisioning_content (
  connector_id text not null,
  id text not null,
  generation text not null,
  content_type text not null,
  bytes bigint not null,
  meta text not null,
  updated_at bigint not null,      -- microseconds, as every time below
  primary key (connector_id, id)
);

create table provisioning_content_generation (
  connector_id text not null,
  generation text not null,
  ends_at bigint,                  -- null: in force; after this time its chunks may go
  primary key (connector_id, generation)
);

create index provisioning_content_generation_ends on provisioning_content_generation (ends_at)
  where ends_at is not null;

-- All chunks of a generation but the last are of one size.
create table provisioning_content_chunk (
  connector_id text not null,
  generation text not null,
  ord integer not null,
  data bytea not null,
  primary key (connector_id, generation, ord)
);
