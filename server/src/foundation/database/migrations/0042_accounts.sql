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

-- Who did what from where. It outlives the users and the business that it names.
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
