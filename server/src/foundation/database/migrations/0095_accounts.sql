-- The most that a business may have or use; what has no row has no quota.
create table accounts_quota (
  business_id text not null,
  -- devices, messages, storage, script_cpu, tokens, users
  kind text not null,
  most bigint not null,
  primary key (business_id, kind)
);

-- What is left of a rate, as of a time. Processes take parts of it in advance.
create table accounts_quota_bucket (
  business_id text not null,
  kind text not null,
  tokens double precision not null,
  granted double precision not null,         -- to the process that asked last
  at bigint not null,                        -- microseconds
  primary key (business_id, kind)
);

-- What was used in each minute, of the last hour.
create table accounts_quota_use (
  business_id text not null,
  kind text not null,
  minute bigint not null,                    -- since 1970
  used double precision not null,
  primary key (business_id, minute, kind)
);
create index accounts_quota_use_minute on accounts_quota_use (minute);
