-- The place that the newest value of a signal is, if it is one: assets whose location is a signal
-- are found in an area by it. An update that leaves both null changes no column of an index.
alter table assets_latest
  add column latitude double precision,
  add column longitude double precision;

-- What has an escape or a form of numbers that is not read here gets its place by its next value.
with texts as materialized (
  select signal_key, t::json ->> 'lat' as lat, t::json ->> 'lng' as lng
  from assets_latest
  where case
    when t like '{%"lat"%' and t like '{%"lng"%' and position('\u' in t) = 0
    then t::json ->> 'lat' ~ '^-?[0-9]{1,2}([.][0-9]{1,20})?$'
      and t::json ->> 'lng' ~ '^-?[0-9]{1,3}([.][0-9]{1,20})?$'
    else false
  end
)
update assets_latest l set latitude = p.lat::float8, longitude = p.lng::float8
from texts p
where p.signal_key = l.signal_key and abs(p.lat::float8) <= 90 and abs(p.lng::float8) <= 180;

create index assets_latest_place on assets_latest (latitude, longitude)
where latitude is not null;

create index assets_asset_moving on assets_asset (business_id, location_signal)
where location_signal is not null;
