-- Assets, devices, users, policies and dashboards lie in groups. The table belonged to the assets
-- once: names of its keys say so.
create table groups_group (
  business_id text constraint assets_group_business_id_not_null not null,
  id text constraint assets_group_id_not_null not null,
  -- The order in which groups were made.
  number bigint constraint assets_group_number_not_null not null
    generated always as identity (sequence name assets_group_number_seq),
  parent_id text,                               -- null for the root alone
  depth smallint constraint assets_group_depth_not_null not null,
  name text constraint assets_group_name_not_null not null,
  description text not null default '',
  custom_id text,                               -- the name that other systems have for it
  path text[] not null default '{}',            -- ids from the root to the group itself
  node_type_id text,                            -- the type that other systems have for it
  constraint assets_group_pkey primary key (business_id, id),
  constraint assets_group_business_id_parent_id_fkey
    foreign key (business_id, parent_id) references groups_group (business_id, id)
);

create unique index groups_group_root on groups_group (business_id) where parent_id is null;
create index groups_group_parent on groups_group (business_id, parent_id);
-- Each change enters the index at once: a list of waiting entries would be read by each search, and
-- would make a scan of all groups look cheaper than the index. Groups change seldom.
create index groups_group_path on groups_group using gin (path) with (fastupdate = off);
