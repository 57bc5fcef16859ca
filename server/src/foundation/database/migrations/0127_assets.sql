-- The assets that were made of a template: lists show how many there are, and which.
create index assets_asset_template on assets_asset (business_id, template_id)
  where template_id is not null;
