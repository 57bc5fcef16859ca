-- Where an insight module is served and how it is called, as its owner published it.
create table marketplace_listing (
  id text primary key,
  business_id text not null,                  -- the owner
  number bigint generated always as identity, -- the order of lists
  name text not null,
  visibility text not null check (visibility in ('private', 'public')),
  implied boolean not null,                   -- made with its first use, gone with its last
  definition text not null,                   -- the OpenAPI 2.0 file as given; '' if there is none
  definition_url text,                        -- where it was read; null if it was sent
  base text not null,                         -- where the module is served, with its base path
  version text not null,                      -- info.version; '' if unknown
  operations text not null,                   -- JSON: method and path of each, from the base
  published_by text not null,                 -- a user or an API token; '' if unknown
  published_at bigint not null
);

create index marketplace_listing_business on marketplace_listing (business_id, number);

-- A business uses the module of a listing. Links of its assets name the use.
create table marketplace_use (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,
  listing_id text not null references marketplace_listing (id),
  name text not null,
  parameters text not null,                   -- sealed JSON: values by name; '' if there are none
  created_at bigint not null,
  primary key (business_id, id)
);

create index marketplace_use_listing on marketplace_use (listing_id);

-- The modules of before: a listing and a use each. Their operations have whole URLs.
insert into marketplace_listing (id, business_id, name, visibility, implied, definition,
  definition_url, base, version, operations, published_by, published_at)
select id, business_id, name, 'private', true, '', null, url, '',
  replace(endpoints, '"url":', '"path":'), '', created_at
from pipelines_module order by number;

insert into marketplace_use (business_id, id, listing_id, name, parameters, created_at)
select business_id, id, id, name, '', created_at from pipelines_module order by number;
