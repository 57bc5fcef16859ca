-- What a subscription may call a day and a month (UTC), and what it has called since. A row exists
-- only where there is a quota, or was one: without it nothing is counted.
create table interface_quota (
  subscription_id uuid primary key,
  -- The solution that is exposed, and sets the quota.
  solution_id text not null,
  calls_daily bigint check (calls_daily >= 0),
  calls_monthly bigint check (calls_monthly >= 0),
  day date not null,
  day_calls bigint not null default 0,
  month date not null,
  month_calls bigint not null default 0
);
create index interface_quota_solution on interface_quota (solution_id);
