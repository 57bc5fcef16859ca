-- The files of a solution as they were pushed. Text that may hold settings of services is sealed.
create table scripting_file (
  business_id text not null,
  solution_id text not null references scripting_solution (id) on delete cascade,
  path text not null,
  text text not null,
  sealed boolean not null,
  primary key (solution_id, path)
);
