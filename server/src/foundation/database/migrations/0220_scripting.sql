create table scripting_solution (
  id text primary key,
  business_id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  description text not null,
  version bigint not null,                      -- grows with all that its machine is built from
  limits jsonb not null,                        -- those that differ from the defaults
  -- True if calls share one virtual machine, and so its globals; else each has its own.
  reuse_vm boolean not null default true,
  project jsonb,                                -- the layout in murano.yaml; null: there is none
  created_at bigint not null,                   -- microseconds, as all times
  updated_at bigint not null,
  -- The variables that `os.getenv` gives to its scripts.
  environment text,                             -- sealed JSON {name: value}; null: nothing is set
  is_initialised boolean not null default false -- true once its `init` handler was called
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

-- The files of a solution as they were pushed. Text that may hold settings of services is sealed.
create table scripting_file (
  business_id text not null,
  solution_id text not null references scripting_solution (id) on delete cascade,
  path text not null,
  text text not null,
  sealed boolean not null,
  primary key (solution_id, path)
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
-- Finds the exposed solutions that a business may use: its own, and those whose whitelist names it.
create index scripting_configuration_business on scripting_configuration (business_id)
  where service = 'interface' and not connector;
create index scripting_configuration_whitelist on scripting_configuration
  using gin ((parameters -> 'whitelist')) where service = 'interface' and not connector;

-- A solution that is too slow for the events of its connectors has a cursor of its own in each
-- partition in which it is behind: the events wait in the log. It goes when it reaches the end.
create table scripting_cursor (
  part smallint not null,
  solution_id text not null,
  business_id text not null,
  position bigint not null,        -- the last entry of which nothing is left to do
  until bigint not null,           -- from the entry after this one on the solution is not behind
  skipped text not null,           -- JSON: events beyond the position that were handled already
  primary key (part, solution_id)
) with (fillfactor = 50);

create index scripting_cursor_solution on scripting_cursor (solution_id);
