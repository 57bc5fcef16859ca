-- A quota belongs to a caller, not to its subscription: who deletes that and subscribes again, or
-- subscribes twice, has the same quota, and has used as much of it. Without calls_daily and
-- calls_monthly a row counts what the default of the exposing solution limits.
alter table interface_quota rename to interface_quota_of_subscription;
alter index interface_quota_pkey rename to interface_quota_of_subscription_pkey;
create table interface_quota (
  -- The solution that is exposed, and sets the quota.
  solution_id text not null,
  -- Who calls: a solution of a business, or '' for its programs that call without a subscription.
  business_id text not null,
  caller_id text not null,
  calls_daily bigint check (calls_daily >= 0),
  calls_monthly bigint check (calls_monthly >= 0),
  day date not null,
  day_calls bigint not null default 0,
  month date not null,
  month_calls bigint not null default 0,
  primary key (solution_id, business_id, caller_id)
);

-- Of several subscriptions of a solution the strictest limits stay, and what all of them called.
insert into interface_quota
select q.solution_id, c.business_id, c.solution_id, min(q.calls_daily), min(q.calls_monthly),
  max(q.day), sum(q.day_calls) filter (where q.day = m.day),
  max(q.month), sum(q.month_calls) filter (where q.month = m.month)
from interface_quota_of_subscription q
join scripting_configuration c on c.id = q.subscription_id::text and c.service = q.solution_id
join lateral (
  select max(o.day) as day, max(o.month) as month
  from interface_quota_of_subscription o
  join scripting_configuration d on d.id = o.subscription_id::text
  where o.solution_id = q.solution_id and d.solution_id = c.solution_id
) m on true
group by q.solution_id, c.business_id, c.solution_id;

drop table interface_quota_of_subscription;
