-- The type of a group, by the id that the business's other systems have for it.
alter table groups_group add column node_type_id text;
