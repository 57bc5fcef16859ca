-- Three letters each, of a text in lower case: what holds all of those of another may hold it.
create function assets_grams(given text) returns text[] language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct substr(lower(given), place, 3)), '{}')
  from generate_series(1, greatest(length(given) - 2, 0)) as places (place)
);

alter table assets_asset
  add column meta text not null default '{}',     -- JSON, an object
  add column asset_type text,
  add column locked boolean not null default false,
  add column latitude double precision,
  add column longitude double precision,
  add column location_signal text,                -- a signal that has the place as its value
  add column grams text[] generated always as (assets_grams(name || ' ' || description)) stored;

create index assets_asset_text on assets_asset using gin (grams);
