create table accounts_business (
  id text primary key,
  name text not null unique,
  created_at bigint not null,                -- milliseconds
  -- True if users of the business need a second step to sign in.
  totp_demanded boolean not null default false,
  -- Null: it was not deleted. The row goes last, when nothing else of the business is left.
  removed_at bigint                          -- milliseconds
);

create table accounts_role (
  business_id text not null references accounts_business (id) on delete cascade,
  name text not null,
  permissions text[] not null,
  -- Requests of the graph API in a window, and the sum of their milliseconds, that each token of
  -- the role may have; null: as the instance has it.
  rate_requests integer,
  rate_ms bigint,
  primary key (business_id, name)
);

create table accounts_user (
  business_id text not null,
  id text not null,
  email text not null,                       -- as it was typed
  email_key text not null unique,            -- lower case: a sign-in names no business
  password_hash text not null,               -- $argon2id$…, salt and parameters included
  role text not null,
  created_at bigint not null,                -- milliseconds
  name text not null default '',
  groups text[],                             -- it sees these and all below; null: the business
  -- When a session of the user began last: unused accounts are found by it.
  signed_in_at bigint,                       -- milliseconds; null: not known
  primary key (business_id, id),
  foreign key (business_id, role) references accounts_role (business_id, name)
);

create table accounts_session (
  token_hash text primary key,
  business_id text not null,
  user_id text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint not null,                -- milliseconds
  address text not null default '',
  id text not null,
  last_used_at bigint,                       -- milliseconds; null: not since it began
  user_agent text not null default '',
  -- password, totp, or oidc: a user of a provider has passed its second step there.
  method text not null default 'password',
  foreign key (business_id, user_id)
    references accounts_user (business_id, id) on delete cascade
);

create index accounts_session_user on accounts_session (business_id, user_id);
create unique index accounts_session_id on accounts_session (business_id, user_id, id);

create table accounts_token (
  business_id text not null,
  id text not null,
  name text not null,
  token_hash text not null unique,
  role text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint,                         -- milliseconds; null: it does not expire
  -- As those of its role; null: as its role has it.
  rate_requests integer,
  rate_ms bigint,
  groups text[],                             -- it sees these and all below; null: the business
  -- Network addresses and ranges (CIDR) from which it is taken; empty: any.
  addresses text[] not null default '{}',
  last_used_at bigint,                       -- milliseconds; null: never
  created_by text,                           -- user:<id>, token:<id> or operator
  primary key (business_id, id),
  foreign key (business_id, role) references accounts_role (business_id, name)
);

create table accounts_invitation (
  business_id text not null references accounts_business (id) on delete cascade,
  id text not null,
  email text not null,
  email_key text not null,
  role text not null,
  groups text[],                             -- null: the whole business
  token_hash text not null unique,
  created_by text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint not null,                -- milliseconds
  primary key (business_id, id),
  unique (business_id, email_key),
  foreign key (business_id, role) references accounts_role (business_id, name)
);

-- Links by which users set a new password.
create table accounts_reset (
  token_hash text primary key,
  business_id text not null,
  user_id text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint not null,                -- milliseconds
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);

create index accounts_reset_user on accounts_reset (business_id, user_id);

-- Actions of people and programs, with the address from which they came. A row outlives the users
-- and the business that it names.
create table accounts_audit (
  id bigint generated always as identity primary key,
  business_id text not null,                 -- empty: the instance
  at bigint not null,                        -- milliseconds
  subject text not null,                     -- user:<id>, token:<id> or operator
  name text not null,                        -- the e-mail address or the token's name at that time
  source text not null,
  address text not null,
  action text not null,
  target text not null,
  outcome text not null                      -- done, or the code of the error
);

create index accounts_audit_business on accounts_audit (business_id, id desc);
create index accounts_audit_at on accounts_audit (at);

-- Failed sign-ins of an account and of a network address, for all processes. An account is the
-- SHA-256 of what was tried, so that nobody reads here which accounts there are, or passwords that
-- were typed in the wrong field.
create table accounts_attempt (
  account text not null,                     -- *: any account
  address text not null,                     -- of IPv6 its /64; *: from anywhere
  failures integer not null,
  last_at bigint not null,                   -- milliseconds
  locked_until bigint not null,              -- milliseconds; 0: it is not locked
  primary key (account, address)
);

create index accounts_attempt_last on accounts_attempt (last_at);

-- Network addresses from which a user has signed in before.
create table accounts_familiar_address (
  business_id text not null,
  user_id text not null,
  address text not null,
  last_at bigint not null,                   -- milliseconds
  primary key (business_id, user_id, address),
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);

-- The second step of a user: a secret that an authenticator app has, too.
create table accounts_totp (
  business_id text not null,
  user_id text not null,
  sealed_secret text not null,
  created_at bigint not null,                -- milliseconds
  confirmed_at bigint,                       -- milliseconds; null: no code was shown yet
  last_step bigint not null default 0,       -- of the last code: it and those before are refused
  primary key (business_id, user_id),
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);

-- Codes in place of the app, each taken once.
create table accounts_recovery_code (
  business_id text not null,
  user_id text not null,
  code_hash text not null,                   -- SHA-256; a code has 80 random bits
  primary key (business_id, user_id, code_hash),
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);

-- The OpenID Connect provider at which users of a business sign in.
create table accounts_oidc (
  business_id text primary key references accounts_business (id) on delete cascade,
  label text not null,                       -- of the button
  issuer text not null,
  client_id text not null,
  sealed_secret text not null,
  domains text[] not null,                   -- of e-mail addresses that may sign in
  creates_role text,                         -- of users who are new; null: none is made
  changed_at bigint not null                 -- milliseconds
);

-- Sign-ins that have left for a provider, and those that came back until they are taken.
create table accounts_oidc_sign_in (
  state_hash text primary key,
  business_id text not null references accounts_oidc (business_id) on delete cascade,
  browser_hash text not null,                -- of the cookie: another browser cannot end it
  sealed_checks text not null,               -- nonce and PKCE verifier
  expires_at bigint not null,                -- milliseconds
  code_hash text unique,                     -- by which the page takes its session
  email_key text                             -- who has signed in
);

create index accounts_oidc_sign_in_business on accounts_oidc_sign_in (business_id);

-- The most that a business may have or use; without a row there is no quota.
create table accounts_quota (
  business_id text not null,
  -- devices, messages, storage, script_cpu, tokens, users
  kind text not null,
  most bigint not null,
  primary key (business_id, kind)
);

-- The rest of a rate, as of a time. Processes take parts of it in advance.
create table accounts_quota_bucket (
  business_id text not null,
  kind text not null,
  tokens double precision not null,
  granted double precision not null,         -- to the process that asked last
  at bigint not null,                        -- microseconds
  primary key (business_id, kind)
);

-- The use in each minute of the last hour.
create table accounts_quota_use (
  business_id text not null,
  kind text not null,
  minute bigint not null,                    -- since 1970
  used double precision not null,
  primary key (business_id, minute, kind)
);

create index accounts_quota_use_minute on accounts_quota_use (minute);

-- The units in which a user wants to see values, for each type of data of the catalogue.
create table accounts_preferred_units (
  business_id text not null,
  user_id text not null,
  data_type text not null,                   -- its name in the catalogue, no alias
  units text not null,                       -- metric or us
  primary key (business_id, user_id, data_type),
  foreign key (business_id, user_id) references accounts_user (business_id, id) on delete cascade
);

-- The use of its window by each caller, for all processes. Unlogged: a crash of the server only
-- begins the windows anew, and a request costs no write to the disk.
create unlogged table accounts_window (
  holder text primary key,                   -- an API token, or `user:` and the id of a user
  started_at bigint not null,                -- milliseconds
  requests bigint not null,
  used_us bigint not null,                   -- the sum of the requests' times, in microseconds
  cost bigint not null                       -- of the requests of the graph API
);
