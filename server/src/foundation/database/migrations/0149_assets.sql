-- A page of a list by name, of a million assets, too.
create index assets_asset_name on assets_asset (business_id, name, number);

-- The assets whose worst status is of a level: few are not normal.
create index assets_status_level on assets_status (business_id, level, asset_id) where level > 0;
