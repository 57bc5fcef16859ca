create table scripting_solution (
  id text primary key,
  business_id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  description text not null,
  version bigint not null,                      -- grows with all that its machine is built from
  limits jsonb not null,                        -- what differs from the defaults
  -- Whether calls share one virtual machine, and so its globals; else each has its own.
  reuse_vm boolean not null default true,
  project jsonb,                                -- the layout in murano.yaml; null: there is none
  created_at bigint not null,                   -- microseconds, as all times
  updated_at bigint not null
);

create index scripting_solution_list on scripting_solution (business_id, number);

-- Several scripts may come from one file: each begins at its own line of it.
create table scripting_script (
  business_id text not null,
  solution_id text not null references scripting_solution (id) on delete cascade,
  kind text not null,                           -- handler, endpoint, module, plain
  name text not null,
  file text not null,
  first_line integer not null,
  source text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (solution_id, kind, name)
);

-- A service that a solution has. Of an exposed solution it is the spec's subscription.
create table scripting_configuration (
  business_id text not null,
  solution_id text not null references scripting_solution (id) on delete cascade,
  id text not null,                             -- uuid
  number bigint generated always as identity,   -- the order of lists
  service text not null,
  connector boolean not null,                   -- the service is a connector, and no solution
  alias text not null,
  alias_key text not null,                      -- in lower case: unique however it is spelled
  parameters jsonb not null,
  triggers jsonb not null,
  hidden jsonb not null,                        -- sealed by the service, shown to nobody
  created_at bigint not null,
  updated_at bigint not null,
  primary key (solution_id, id),
  unique (solution_id, alias_key)
);

create index scripting_configuration_service on scripting_configuration (service, number);


-- The process that hands the events of a partition to scripts.
create table scripting_partition_lease (
  part smallint primary key,
  owner text not null,
  leased_until bigint not null,
  epoch bigint not null            -- counts the changes of owner
) with (fillfactor = 10);
