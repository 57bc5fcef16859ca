-- When old data were last removed, by a clock that was believed: one row.
create table upkeep_run (
  id smallint primary key default 1 check (id = 1),
  at bigint not null               -- microseconds
);
