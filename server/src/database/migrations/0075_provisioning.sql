-- Lists of devices are read in this order, a page at a time: those that were seen, last seen first,
-- then those that never were, by name.
create index provisioning_presence_lastseen
  on provisioning_presence (connector_id, lastseen desc, identity);

-- Whether it has a presence row; written before that row, in its transaction.
alter table provisioning_identity add column seen boolean not null default false;

update provisioning_identity i set seen = true
from provisioning_presence p
where p.connector_id = i.connector_id and p.identity = i.identity;

create index provisioning_identity_unseen on provisioning_identity (connector_id, identity)
  where not seen;

-- The few that a list by status is about.
create index provisioning_identity_locked on provisioning_identity (connector_id, identity)
  where locked;
create index provisioning_identity_reprovision on provisioning_identity (connector_id, identity)
  where reprovision;
create index provisioning_identity_devmode on provisioning_identity (connector_id, identity)
  where devmode;
create index provisioning_identity_silent on provisioning_identity (connector_id, identity)
  where not seen and provisioned_at is not null;
