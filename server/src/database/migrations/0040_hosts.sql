-- Who answers on a host name: the first label before the domain of the instance. Connectors and
-- solutions take theirs by insert, so that one label never leads to two.
create table hosts_label (
  label text primary key,
  kind text not null,              -- connector, solution
  business_id text not null,
  taken_at bigint not null,        -- microseconds, as every time below
  kept_until bigint                -- null: in use; else released, and its business's until then
);

create index hosts_label_kept on hosts_label (business_id, kept_until)
  where kept_until is not null;

create index hosts_label_until on hosts_label (kept_until) where kept_until is not null;

-- Solutions that were made before there was this table, with the id of a connector.
create table hosts_clash (
  label text primary key,
  business_id text not null,
  taken_at bigint not null
);

insert into hosts_label (label, kind, business_id, taken_at)
  select id, 'connector', business_id, created_at from provisioning_connector;

insert into hosts_clash (label, business_id, taken_at)
  select s.id, s.business_id, s.created_at
  from scripting_solution s join hosts_label l on l.label = s.id;

insert into hosts_label (label, kind, business_id, taken_at)
  select id, 'solution', business_id, created_at from scripting_solution
  on conflict (label) do nothing;
