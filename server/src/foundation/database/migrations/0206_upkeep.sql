-- The time at which old data were last removed, by a clock that was trusted: one row.
create table upkeep_run (
  id smallint primary key default 1 check (id = 1),
  at bigint not null               -- microseconds
);

-- The time for which data are kept, in hours; without a row, the limits of the instance apply.
create table upkeep_retention (
  business_id text not null,                 -- empty: all businesses that have no row
  kind text not null,                        -- log, values, lines, notifications, contents, audit
  hours bigint not null,
  primary key (business_id, kind)
);
