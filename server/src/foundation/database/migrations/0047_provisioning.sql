-- Devices lie in groups, and have a name for people.
alter table provisioning_identity
  add column group_id text,                     -- null: the root
  add column name text not null default '',     -- empty: the identity is its name
  add column description text not null default '';

create index provisioning_identity_group on provisioning_identity (group_id, connector_id, identity)
  where group_id is not null;
