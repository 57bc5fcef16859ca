-- The place where an insight module is served and how it is called, as its owner published it.
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
  published_at bigint not null,
  -- The parts of a definition that calls need, as they were read when it was published.
  given_base text,                            -- beside the file; null if its host is right
  parameters text not null default '[]',      -- JSON: declarations
  security text not null default '[]',        -- JSON: how calls are authenticated
  problems text not null default '[]'         -- JSON: what breaks the rules
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
  simulation_safe boolean not null default false, -- simulations call it, instead of recorded data
  secrets_base text,                          -- secrets without an origin are for this base
  primary key (business_id, id)
);

create index marketplace_use_listing on marketplace_use (listing_id);
