-- When old data were last removed, by a clock that was believed: one row. An instance of before
-- this table begins with the newest entry of its log.
create table upkeep_run (
  id smallint primary key default 1 check (id = 1),
  at bigint not null                -- microseconds
);

insert into upkeep_run (at)
  select max(newest.at)
  from eventlog_partition p
  cross join lateral (
    select e.at from eventlog_entry e where e.part = p.part order by e.seq desc limit 1
  ) as newest
  having max(newest.at) is not null;
