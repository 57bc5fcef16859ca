-- The first assets of a group, in the order of their lists.
create index assets_asset_group_list on assets_asset (business_id, group_id, number);
drop index assets_asset_group;
