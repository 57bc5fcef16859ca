-- Groups were tables of the assets alone: devices and users lie in them, too.
alter table assets_group rename to groups_group;
