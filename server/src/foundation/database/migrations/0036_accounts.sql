-- What a user or an API token sees: these groups and all below them; null: the whole business.
alter table accounts_user
  add column name text not null default '',
  add column groups text[];
alter table accounts_token
  add column groups text[],
  -- Network addresses and ranges (CIDR) from which it is taken; empty: any.
  add column addresses text[] not null default '{}',
  add column last_used_at bigint,            -- milliseconds; null: never
  add column created_by text;                -- user:<id>, token:<id> or operator
alter table accounts_session add column address text not null default '';
