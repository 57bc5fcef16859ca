-- The calls a day and a month (UTC) that a caller may make, and those that it has made since. A row
-- exists only if there is a quota, or was one: without it nothing is counted. A quota belongs to a
-- caller, not to its subscription: a caller that deletes its subscription and subscribes again, or
-- subscribes twice, has the same quota, and has used as much of it. Without calls_daily and
-- calls_monthly a row counts what the default of the exposing solution limits.
create table interface_quota (
  -- The solution that is exposed, and sets the quota.
  solution_id text not null,
  -- The caller: a solution of a business, or '' for its programs that call without a subscription.
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
