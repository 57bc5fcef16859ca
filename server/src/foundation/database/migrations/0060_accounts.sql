-- Sessions as their users see them.
alter table accounts_session
  add column id text,
  add column last_used_at bigint,            -- milliseconds; null: not since it began
  add column user_agent text not null default '',
  -- password, totp, or oidc: who signed in at a provider has had its second step there.
  add column method text not null default 'password';
update accounts_session set id = left(token_hash, 16);
alter table accounts_session alter column id set not null;
create unique index accounts_session_id on accounts_session (business_id, user_id, id);

-- Users of the business need a second step to sign in.
alter table accounts_business add column totp_demanded boolean not null default false;

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
