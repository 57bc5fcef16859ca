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
