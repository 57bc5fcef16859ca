-- How many identities a connector may have, and how many strangers a minute may register themselves
-- from one address.
alter table provisioning_connector
  add column identities_max integer not null default 1000000,
  add column registrations_per_minute integer not null default 1000;

-- How many identities a connector has. Whoever adds or removes some writes it in the same
-- transaction, after the identities and before the log: that is the order of locks.
create table provisioning_population (
  connector_id text primary key,
  identities bigint not null
) with (fillfactor = 10);

insert into provisioning_population (connector_id, identities)
select connector_id, count(*) from provisioning_identity group by connector_id;

update provisioning_connector c set identities_max = p.identities
from provisioning_population p where p.connector_id = c.id and p.identities > c.identities_max;

-- The deadline of which the log says that it passed; another deadline is another window.
alter table provisioning_identity add column told_until bigint;

update provisioning_identity set told_until = activate_until
where activate_until <= (extract(epoch from now()) * 1000000)::bigint;

create index provisioning_identity_passing on provisioning_identity (activate_until)
  where activate_until is not null and told_until is distinct from activate_until
    and (provisioned_at is null or reprovision);
