-- Users of solutions, with their tokens, roles and data. They are no users of the business.
create table user_solution (
  solution_id text primary key,
  -- The number of the next user; how many there are.
  next_id bigint not null default 1,
  users bigint not null default 0
);

create table user_account (
  solution_id text not null,
  id bigint not null,
  email text not null,
  email_key text not null,
  name text not null,
  status integer not null,
  password_hash text not null,
  -- The hash of the activation code; null once it was used.
  activation_hash text,
  activation_until bigint,
  reset_hash text,
  reset_until bigint,
  created_at bigint not null,
  primary key (solution_id, id),
  unique (solution_id, email_key)
);

create index user_account_activation on user_account (solution_id, activation_hash)
  where activation_hash is not null;
create index user_account_reset on user_account (solution_id, reset_hash)
  where reset_hash is not null;

create table user_token (
  token_hash text primary key,
  solution_id text not null,
  user_id bigint not null,
  expires_at bigint not null
);
create index user_token_owner on user_token (solution_id, user_id, expires_at);
create index user_token_expiry on user_token (expires_at);

create table user_role (
  solution_id text not null,
  role_id text not null,
  parameters text[] not null,
  primary key (solution_id, role_id)
);

-- A role that a user has, with one value of a parameter. An empty name: the role itself.
create table user_assignment (
  solution_id text not null,
  user_id bigint not null,
  role_id text not null,
  name text not null,
  value text not null,
  primary key (solution_id, user_id, role_id, name, value)
);
create index user_assignment_value on user_assignment (solution_id, role_id, name, value);

create table user_data (
  solution_id text not null,
  user_id bigint not null,
  key text not null,
  value text not null,
  primary key (solution_id, user_id, key)
);
