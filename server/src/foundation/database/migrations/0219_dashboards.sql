-- Dashboards show assets and their signals. A dashboard refers to these by their ids, and stays as
-- it is when one of them is gone.
create table dashboards_dashboard (
  business_id text not null,
  id text not null,
  number bigint generated always as identity,   -- the order of lists
  name text not null,
  description text not null,
  period text not null,                         -- of its plots, such as 24h
  panels text not null,                         -- an array, as JSON
  panel_count integer not null,
  version bigint not null,                      -- from 1, one more with each change
  created_at bigint not null,                   -- microseconds, as every time below
  created_by text not null,                     -- a user or a token
  changed_at bigint not null,
  changed_by text not null,
  -- Null: it is of the whole business, and only people who see all of the business see it.
  group_id text,
  primary key (business_id, id)
);

create index dashboards_dashboard_list on dashboards_dashboard (business_id, number);
