alter index assets_group_root rename to groups_group_root;
alter index assets_group_parent rename to groups_group_parent;

alter table groups_group add column description text not null default '';
-- What the business's other systems call it.
alter table groups_group add column custom_id text;
-- The ids from the root to the group itself, so that one look finds all that lies below another.
alter table groups_group add column path text[] not null default '{}';

with recursive placed (business_id, id, path) as (
  select business_id, id, array[id] from groups_group where parent_id is null
  union all
  select g.business_id, g.id, p.path || g.id from groups_group g
  join placed p on p.business_id = g.business_id and p.id = g.parent_id
)
update groups_group g set path = p.path
from placed p
where p.business_id = g.business_id and p.id = g.id;

create index groups_group_path on groups_group using gin (path);

-- Programs look for the root by this name.
update groups_group set name = 'Root' where parent_id is null and name = 'All';
