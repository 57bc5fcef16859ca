-- Files of solutions, and what each solution keeps in all.
create table content_solution (
  solution_id text primary key,
  files bigint not null default 0,
  bytes bigint not null default 0
);

create table content_file (
  solution_id text not null,
  id text not null,
  content_type text not null,
  bytes bigint not null,
  data bytea not null,
  updated_at bigint not null,
  primary key (solution_id, id)
);
