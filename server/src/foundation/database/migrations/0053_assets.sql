-- Patterns of assets of a business. Signals and links are JSON; a link names a signal of the
-- template by its key.
create table assets_template (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  description text not null,
  asset_type text,
  meta text not null,
  signals text not null,
  links text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

create index assets_template_list on assets_template (business_id, number);

-- The template that an asset was made of; it may be gone since.
alter table assets_asset add column template_id text;
