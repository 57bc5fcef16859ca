-- Assets with a fixed location, for those in an area.
create index assets_asset_place on assets_asset (business_id, latitude, longitude)
where latitude is not null;
