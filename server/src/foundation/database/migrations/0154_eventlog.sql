-- How many of those that ended have no row any more: they were sent again, discarded, cancelled, or
-- removed by age or with their owner. For stages that keep rows of what ended: all of it
-- (notifications), or what failed.
alter table eventlog_ledger add column settled bigint not null default 0;

-- What is counted and has no row yet was settled before. It counts in the first hour of its part.
update eventlog_ledger l set settled = l.settled + b.settled
from (
  select c.stage, c.part, c.hour, c.ended - coalesce(k.rows, 0) as settled
  from (
    select stage, part, min(hour) as hour,
      sum(case when stage = 'notifications' then done + failed else failed end)::bigint as ended
    from eventlog_ledger
    where stage in ('notifications', 'deliveries', 'functions.runs', 'reports', 'deletion')
    group by stage, part) as c
  left join (
    select case queue when 'scripts' then 'deliveries' when 'functions' then 'functions.runs'
           else queue end as stage, part, count(*) as rows
    from jobs_job where state = 'dead' group by 1, 2
    union all
    select 'notifications', part, count(*)
    from notification_job where state <> 'queued' group by part) as k
    on k.stage = c.stage and k.part = c.part) as b
where l.stage = b.stage and l.part = b.part and l.hour = b.hour and b.settled <> 0;
