-- A link that is not enabled stays with its signals, and does not run.
alter table pipelines_link add column enabled boolean not null default true;

-- The pipeline of an asset as it was saved, a row for each change. The oldest go.
create table pipelines_version (
  business_id text not null,
  asset_id text not null,
  version integer not null,        -- from 1
  document text not null,          -- JSON: PipelineDocument
  saved_by text,                   -- the user or the token; null for the platform
  saved_at bigint not null,
  primary key (business_id, asset_id, version)
);
