create table accounts_business (
  id text primary key,
  name text not null unique,
  created_at bigint not null                 -- milliseconds
);

create table accounts_role (
  business_id text not null references accounts_business (id) on delete cascade,
  name text not null,
  permissions text[] not null,
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
  primary key (business_id, id),
  foreign key (business_id, role) references accounts_role (business_id, name)
);

create table accounts_session (
  token_hash text primary key,
  business_id text not null,
  user_id text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint not null,                -- milliseconds
  foreign key (business_id, user_id)
    references accounts_user (business_id, id) on delete cascade
);

create index accounts_session_user on accounts_session (business_id, user_id);

create table accounts_token (
  business_id text not null,
  id text not null,
  name text not null,
  token_hash text not null unique,
  role text not null,
  created_at bigint not null,                -- milliseconds
  expires_at bigint,                         -- milliseconds; null: it does not expire
  primary key (business_id, id),
  foreign key (business_id, role) references accounts_role (business_id, name)
);
